// SPDX-License-Identifier: Apache-2.0
// Algorithms as they are written with CUDA's intrinsics: scans, sorts, normalisations, stencils,
// transposes, reductions, histograms, transforms, small products. held_out.cu has others of each
// family. Shared memory is used as rows of 32 words, whatever the warp.
#include <cuda_fp16.h>

#include "frame.cuh"

namespace bodies {

constexpr unsigned kAll = 0xffffffffu;

BODY(kogge_stone_four) {  // four scans side by side
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int before = __shfl_up_sync(kAll, static_cast<int>(s.u[i]), step);
      if (s.lane >= step) s.u[i] += before;
    }
  }
}
END_BODY

BODY(scan_maximum) {
#pragma unroll
  for (int i = 0; i < 3; ++i) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2)
      s.f[0] = fmaxf(s.f[0], __shfl_up_sync(kAll, s.f[0], step));
    s.f[0] += s.f[i + 1];
  }
}
END_BODY

BODY(scan_segments) {  // sums start anew where a flag is set
  float value = s.f[0];
  unsigned flag = s.u[0] & 1;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float before = __shfl_up_sync(kAll, value, step);
    const unsigned flag_before = __shfl_up_sync(kAll, flag, step);
    if (s.lane >= step) {
      value = flag ? value : value + before;
      flag |= flag_before;
    }
  }
  s.f[0] = value;
  s.u[0] = flag;
}
END_BODY

BODY(scan_half2) {
  __half2 x = *reinterpret_cast<__half2*>(&s.u[0]);
  __half2 y = *reinterpret_cast<__half2*>(&s.u[1]);
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const __half2 a = __shfl_up_sync(kAll, x, step);
    const __half2 b = __shfl_up_sync(kAll, y, step);
    if (s.lane >= step) {
      x = __hadd2(x, a);
      y = __hmul2(y, b);
    }
  }
  s.u[0] = *reinterpret_cast<unsigned*>(&x);
  s.u[1] = *reinterpret_cast<unsigned*>(&y);
}
END_BODY

BODY(block_hillis_steele) {  // two buffers in turn, a barrier a step
  const unsigned row = lane_address(s);
  float x = s.f[0];
  store<128>(row, x);
  __syncthreads();
  x += load_float<124>(row);
  store<640>(row, x);
  __syncthreads();
  x += load_float<632>(row);
  store<128>(row, x);
  __syncthreads();
  x += load_float<112>(row);
  store<640>(row, x);
  __syncthreads();
  x += load_float<608>(row);
  store<128>(row, x);
  __syncthreads();
  s.f[0] = x + load_float<64>(row);
}
END_BODY

BODY(block_scan_items) {  // eight items a thread: serial, warp, block
  const unsigned row = lane_address(s);
  const unsigned own = s.shared + s.warp * 4;
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += s.u[i];
    s.u[i] = sum;
  }
  unsigned x = sum;
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const unsigned y = __shfl_up_sync(kAll, x, step);
    if (s.lane >= step) x += y;
  }
  if (s.lane == 31) store<0>(own, x);
  __syncthreads();
  unsigned total = load<0>(row);
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const unsigned y = __shfl_up_sync(kAll, total, step);
    if (s.lane >= step) total += y;
  }
  const unsigned before = __shfl_sync(kAll, total, s.warp - 1) + x - sum;
#pragma unroll
  for (int i = 0; i < 8; ++i) s.u[i] += before;
}
END_BODY

BODY(sort_odd_even) {  // neighbours, 16 steps
  unsigned x = s.u[0];
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const bool right = ((s.lane + i) & 1) != 0;
    const unsigned y = __shfl_sync(kAll, x, right ? s.lane + 1 : s.lane - 1);
    x = right ? umin(x, y) : umax(x, y);
  }
  s.u[0] = x;
}
END_BODY

BODY(sort_bitonic_wide) {  // keys of 64 bits
  unsigned long long x = static_cast<unsigned long long>(s.u[0]) << 32 | s.u[1];
#pragma unroll
  for (int size = 2; size <= 16; size *= 2) {
#pragma unroll
    for (int step = size / 2; step > 0; step /= 2) {
      const unsigned long long y = __shfl_xor_sync(kAll, x, step);
      const bool up = ((s.lane & size) == 0) == ((s.lane & step) == 0);
      x = (x < y) == up ? x : y;
    }
  }
  s.u[0] = static_cast<unsigned>(x >> 32);
  s.u[1] = static_cast<unsigned>(x);
}
END_BODY

BODY(split_by_bits) {  // radix sort, four bits: ballot, rank, scatter through shared memory
  const unsigned below = (1u << s.lane) - 1;
  unsigned x = s.u[0];
#pragma unroll
  for (int bit = 0; bit < 4; ++bit) {
    const unsigned ones = __ballot_sync(kAll, (x >> bit & 1) != 0);
    const unsigned zeros = 32 - __popc(ones);
    const unsigned rank_one = zeros + __popc(ones & below);
    const unsigned rank_zero = s.lane - __popc(ones & below);
    store<0>(s.shared + 4 * ((x >> bit & 1) != 0 ? rank_one : rank_zero), x);
    __syncwarp();
    x = load<0>(lane_address(s));
    __syncwarp();
  }
  s.u[0] = x;
}
END_BODY

BODY(softmax_online) {  // running maximum and sum, merged by butterfly
  float most = s.f[0];
  float sum = 1;
#pragma unroll
  for (int i = 1; i < 8; ++i) {
    const float above = fmaxf(most, s.f[i]);
    sum = sum * exp2_fast(most - above) + exp2_fast(s.f[i] - above);
    most = above;
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const float most_there = __shfl_xor_sync(kAll, most, step);
    const float sum_there = __shfl_xor_sync(kAll, sum, step);
    const float above = fmaxf(most, most_there);
    sum = sum * exp2_fast(most - above) + sum_there * exp2_fast(most_there - above);
    most = above;
  }
  const float scale = reciprocal(sum);
#pragma unroll
  for (int i = 0; i < 8; ++i) s.f[i] = exp2_fast(s.f[i] - most) * scale;
}
END_BODY

BODY(welford) {  // mean and variance, merged by shuffle
  float mean = s.f[0];
  float squares = 0;
#pragma unroll
  for (int i = 1; i < 6; ++i) {
    const float delta = s.f[i] - mean;
    mean = fmaf(delta, 1.0f / (i + 1), mean);
    squares = fmaf(delta, s.f[i] - mean, squares);
  }
  float count = 6;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const float delta = __shfl_down_sync(kAll, mean, step) - mean;
    squares += __shfl_down_sync(kAll, squares, step) + delta * delta * count * 0.5f;
    mean = fmaf(delta, 0.5f, mean);
    count *= 2;
  }
  mean = __shfl_sync(kAll, mean, 0);
  const float scale = rsqrt_fast(__shfl_sync(kAll, squares, 0) * (1.0f / 192) + 1e-5f);
#pragma unroll
  for (int i = 0; i < 6; ++i) s.f[i] = (s.f[i] - mean) * scale;
}
END_BODY

BODY(block_norm) {  // root mean square over the block
  const unsigned row = lane_address(s);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 12; ++i) sum = fmaf(s.f[i], s.f[i], sum);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAll, sum, step);
  if (s.lane == 0) store<0>(s.shared + s.warp * 4, sum);
  __syncthreads();
  float all = load_float<0>(row);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) all += __shfl_xor_sync(kAll, all, step);
  const float scale = rsqrt_fast(all * (1.0f / 12) + 1e-6f);
#pragma unroll
  for (int i = 0; i < 12; ++i) s.f[i] *= scale * s.f[15];
}
END_BODY

BODY(sigmoids) {
#pragma unroll
  for (int i = 0; i < 12; ++i) s.f[i] *= reciprocal(1.0f + exp2_fast(-1.442695f * s.f[i]));
}
END_BODY

BODY(heat_four_cells) {  // four cells a lane, only the edges by shuffle
#pragma unroll
  for (int time = 0; time < 5; ++time) {
    const float left = __shfl_up_sync(kAll, s.f[3], 1);
    const float right = __shfl_down_sync(kAll, s.f[0], 1);
    const float a = fmaf(s.f[8], left + s.f[1] - 2 * s.f[0], s.f[0]);
    const float b = fmaf(s.f[8], s.f[0] + s.f[2] - 2 * s.f[1], s.f[1]);
    const float c = fmaf(s.f[8], s.f[1] + s.f[3] - 2 * s.f[2], s.f[2]);
    s.f[3] = fmaf(s.f[8], s.f[2] + right - 2 * s.f[3], s.f[3]);
    s.f[0] = a;
    s.f[1] = b;
    s.f[2] = c;
  }
}
END_BODY

BODY(stencil_shared_nine) {  // radius four
  const unsigned row = lane_address(s);
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    store<128>(row, s.f[0]);
    __syncwarp();
    float sum = s.f[1] * s.f[0];
    sum = fmaf(s.f[2], load_float<124>(row) + load_float<132>(row), sum);
    sum = fmaf(s.f[3], load_float<120>(row) + load_float<136>(row), sum);
    sum = fmaf(s.f[4], load_float<116>(row) + load_float<140>(row), sum);
    sum = fmaf(s.f[5], load_float<112>(row) + load_float<144>(row), sum);
    __syncwarp();
    s.f[0] = sum;
  }
}
END_BODY

BODY(sobel) {  // 3 by 3: rows in registers, columns by shuffle
#pragma unroll
  for (int r = 1; r < 5; ++r) {
    const float smooth = s.f[r - 1] + 2 * s.f[r] + s.f[r + 1];
    const float slope = s.f[r + 1] - s.f[r - 1];
    const float x = __shfl_down_sync(kAll, smooth, 1) - __shfl_up_sync(kAll, smooth, 1);
    const float y = __shfl_down_sync(kAll, slope, 1) + 2 * slope + __shfl_up_sync(kAll, slope, 1);
    s.f[8 + r] = fabsf(x) + fabsf(y);
  }
}
END_BODY

BODY(transpose_padded) {  // rows of 33 words: no conflict either way
  const unsigned row = lane_address(s);
  const unsigned column = s.shared + s.lane * 132;
  store<0>(row, s.u[0]);
  store<132>(row, s.u[1]);
  store<264>(row, s.u[2]);
  store<396>(row, s.u[3]);
  store<528>(row, s.u[4]);
  store<660>(row, s.u[5]);
  store<792>(row, s.u[6]);
  store<924>(row, s.u[7]);
  __syncwarp();
  s.u[0] = load<0>(column);
  s.u[1] = load<4>(column);
  s.u[2] = load<8>(column);
  s.u[3] = load<12>(column);
  s.u[4] = load<16>(column);
  s.u[5] = load<20>(column);
  s.u[6] = load<24>(column);
  s.u[7] = load<28>(column);
}
END_BODY

BODY(transpose_four_ways) {  // stores of four-way conflict, loads of none
  const unsigned row = lane_address(s);
  const unsigned column = lane_address<4>(s);
  store<0, 4>(column, s.u[0]);
  store<4, 4>(column, s.u[1]);
  store<8, 4>(column, s.u[2]);
  store<12, 4>(column, s.u[3]);
  __syncthreads();
  s.u[0] = load<0>(row);
  s.u[1] = load<128>(row);
  s.u[2] = load<256>(row);
  s.u[3] = load<384>(row);
  __syncthreads();
}
END_BODY

BODY(transpose_bits) {  // 32 by 32 bits
  unsigned x = s.u[0];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    unsigned mask = 0;
#pragma unroll
    for (int bit = 0; bit < 32; ++bit) mask |= (bit & step) == 0 ? 1u << bit : 0;
    const unsigned y = __shfl_xor_sync(kAll, x, step);
    x = (s.lane & step) == 0 ? (x & mask) | ((y & mask) << step)
                             : (x & ~mask) | ((y >> step) & mask);
  }
  s.u[0] = x;
}
END_BODY

BODY(reduce_redux) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    s.u[i] += __reduce_add_sync(kAll, s.u[i]);
    s.u[i + 4] ^= __reduce_max_sync(kAll, s.u[i + 4]);
  }
}
END_BODY

BODY(reduce_votes) {
  unsigned count = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    count += __popc(__ballot_sync(kAll, s.f[i] > s.f[i + 8]));
    if (__any_sync(kAll, s.u[i] == s.u[i + 8])) count ^= s.u[i];
  }
  s.u[0] = count;
}
END_BODY

BODY(reduce_double) {
  double x = s.f[0];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(kAll, x, step);
  s.f[0] = static_cast<float>(x);
}
END_BODY

BODY(reduce_eight_at_once) {  // sums of eight registers: half the registers go at each step
#pragma unroll
  for (int step = 4; step > 0; step /= 2) {
#pragma unroll
    for (int i = 0; i < step; ++i) {
      const bool upper = (s.lane & step) != 0;
      const float sent = upper ? s.f[i] : s.f[i + step];
      const float kept = upper ? s.f[i + step] : s.f[i];
      s.f[i] = kept + __shfl_xor_sync(kAll, sent, step);
    }
  }
  s.f[0] += __shfl_xor_sync(kAll, s.f[0], 8);
  s.f[0] += __shfl_xor_sync(kAll, s.f[0], 16);
}
END_BODY

BODY(histogram_match) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const unsigned peers = __match_any_sync(kAll, s.u[i] & 7);
    if ((peers & ((1u << s.lane) - 1)) == 0) s.u[i + 8] += __popc(peers);
  }
}
END_BODY

BODY(fourier_shared) {  // radix 2 through shared memory
  const unsigned row = lane_address(s);
#pragma unroll
  for (int step = 1; step < 16; step *= 2) {
    store<0>(row, s.f[0]);
    store<128>(row, s.f[1]);
    __syncwarp();
    const unsigned partner = row ^ (4 * step);
    const float real = load_float<0>(partner);
    const float imaginary = load_float<128>(partner);
    const float sign = (s.lane & step) != 0 ? -1.0f : 1.0f;
    const float a = fmaf(sign, s.f[0], real);
    const float b = fmaf(sign, s.f[1], imaginary);
    s.f[0] = a * s.f[2] - b * s.f[3];
    s.f[1] = a * s.f[3] + b * s.f[2];
    __syncwarp();
  }
}
END_BODY

BODY(product_broadcast) {  // 8 columns, 4 rows of accumulators
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const float a = __shfl_sync(kAll, s.f[0], k);
    const float b = __shfl_sync(kAll, s.f[1], k + 8);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      s.f[8 + i] = fmaf(a, s.f[2 + i], s.f[8 + i]);
      s.f[10 + i] = fmaf(b, s.f[2 + i], s.f[10 + i]);
    }
  }
}
END_BODY

BODY(align_sequences) {  // Smith and Waterman: one cell a lane, the wave goes from lane to lane
  int best = static_cast<int>(s.u[0]);
  int above = static_cast<int>(s.u[1]);
  int gap = static_cast<int>(s.u[2]);
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    const int left = __shfl_up_sync(kAll, best, 1);
    const int gap_left = __shfl_up_sync(kAll, gap, 1);
    gap = max(gap_left - 1, left - 3);
    const int match = above + (s.u[3 + i] == s.u[10] ? 2 : -1);
    above = left;
    best = max(max(match, gap), max(best - 3, 0));
  }
  s.u[0] = best;
  s.u[1] = above;
  s.u[2] = gap;
}
END_BODY

}  // namespace bodies

SPREAD(kogge_stone_four)
SPREAD(scan_maximum)
SPREAD(scan_segments)
SPREAD(scan_half2)
SPREAD(block_hillis_steele)
SPREAD(block_scan_items)
SPREAD(sort_odd_even)
SPREAD(sort_bitonic_wide)
SPREAD(split_by_bits)
SPREAD(softmax_online)
SPREAD(welford)
SPREAD(block_norm)
SPREAD(sigmoids)
SPREAD(heat_four_cells)
SPREAD(stencil_shared_nine)
SPREAD(sobel)
SPREAD(transpose_padded)
SPREAD(transpose_four_ways)
SPREAD(transpose_bits)
SPREAD(reduce_redux)
SPREAD(reduce_votes)
SPREAD(reduce_double)
SPREAD(reduce_eight_at_once)
SPREAD(histogram_match)
SPREAD(fourier_shared)
SPREAD(product_broadcast)
SPREAD(align_sequences)
