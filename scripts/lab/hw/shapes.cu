// SPDX-License-Identifier: Apache-2.0
// Shapes of real code: scans, sorts, softmax, stencils, transposes, reductions. Each is repeated
// until it takes some hundreds of cycles. Shared memory is used as one row of 32 words for each
// value, whatever the warp, which is what decides conflicts.
#include "frame.cuh"

namespace bodies {

template <int kSteps = 5>
__device__ __forceinline__ float sum_xor(float x) {
#pragma unroll
  for (int step = 1; step < (1 << kSteps); step *= 2) x += from_xor(x, step);
  return x;
}
__device__ __forceinline__ float max_xor(float x) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, from_xor(x, step));
  return x;
}
/// Inclusive scan whose additions are guarded by SHFL's predicate.
__device__ __forceinline__ unsigned scan_guarded(unsigned x) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2)
    asm volatile(
        "{ .reg .pred p; .reg .u32 r; shfl.sync.up.b32 r|p, %0, %1, 0, 0xffffffff;"
        " @p add.u32 %0, %0, r; }"
        : "+r"(x)
        : "r"(step));
  return x;
}
__device__ __forceinline__ float scan_selected(float x, unsigned lane) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float other = from_up(x, step);
    x = lane >= step ? x + other : x;
  }
  return x;
}

BODY(scan_integer) {
#pragma unroll
  for (int i = 0; i < 4; ++i) s.u[i] = scan_guarded(s.u[i]) + s.u[i + 4];
}
END_BODY

BODY(scan_exclusive) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const unsigned scanned = scan_guarded(s.u[i]);
    const unsigned before = from_up(scanned, 1);
    s.u[i] = s.lane == 0 ? 0 : before;
  }
}
END_BODY

BODY(scan_selects) {
#pragma unroll
  for (int i = 0; i < 4; ++i) s.f[0] = scan_selected(s.f[0], s.lane);
}
END_BODY

BODY(scan_two_at_once) {
#pragma unroll
  for (int i = 0; i < 3; ++i) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const float a = from_up(s.f[0], step);
      const float b = from_up(s.f[1], step);
      s.f[0] = s.lane >= step ? s.f[0] + a : s.f[0];
      s.f[1] = s.lane >= step ? s.f[1] * b : s.f[1];
    }
  }
}
END_BODY

BODY(scan_shared) {
  const unsigned address = lane_address(s);
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    store<128>(address, s.f[i]);
    float x = s.f[i];
    x += load_float<124>(address);
    store<128>(address, x);
    x += load_float<120>(address);
    store<128>(address, x);
    x += load_float<112>(address);
    store<128>(address, x);
    x += load_float<96>(address);
    s.f[i] = x;
  }
}
END_BODY

/// Warps scan, their totals go through shared memory, each warp scans these again.
__device__ __forceinline__ unsigned block_scanned(const State& s, unsigned x, unsigned row,
                                                  unsigned own) {
  const unsigned scanned = scan_guarded(x);
  if (s.lane == 31) store<0>(own, scanned);
  __syncthreads();
  const unsigned totals = scan_guarded(load<0>(row));
  __syncthreads();
  return scanned + from_lane(totals, s.warp);
}
BODY(block_scan) {
  const unsigned row = lane_address(s);
  const unsigned own = s.shared + s.warp * 4;
#pragma unroll
  for (int i = 0; i < 3; ++i) s.u[0] = block_scanned(s, s.u[0], row, own);
}
END_BODY

BODY(block_scan_four) {
  const unsigned row = lane_address(s);
  const unsigned own = s.shared + s.warp * 4;
  s.u[1] += s.u[0];
  s.u[2] += s.u[1];
  s.u[3] += s.u[2];
  const unsigned before = block_scanned(s, s.u[3], row, own) - s.u[3];
#pragma unroll
  for (int i = 0; i < 4; ++i) s.u[i] += before;
  const unsigned again = block_scanned(s, s.u[3] ^ s.u[5], row, own);
#pragma unroll
  for (int i = 0; i < 4; ++i) s.u[i] ^= again;
}
END_BODY

BODY(block_scan_shared) {
  const unsigned row = lane_address(s);
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    float x = s.f[i];
    store<128>(row, x);
    __syncthreads();
    x += load_float<124>(row);
    __syncthreads();
    store<128>(row, x);
    __syncthreads();
    x += load_float<120>(row);
    __syncthreads();
    store<128>(row, x);
    __syncthreads();
    x += load_float<112>(row);
    s.f[i] = x;
  }
}
END_BODY

BODY(block_maximum) {
  const unsigned row = lane_address(s);
  const unsigned own = s.shared + s.warp * 4;
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    const float most = max_xor(s.f[i]);
    if (s.lane == 0) store<0>(own, most);
    __syncthreads();
    s.f[i] = s.f[i] - max_xor(load_float<0>(row));
    __syncthreads();
  }
}
END_BODY

/// Bitonic sort of a warp's 32 values.
template <class Exchange>
__device__ __forceinline__ void bitonic(Exchange exchange) {
#pragma unroll
  for (int size = 2; size <= 32; size *= 2) {
#pragma unroll
    for (int step = size / 2; step > 0; step /= 2) exchange(size, step);
  }
}
BODY(sort_bitonic) {
  const unsigned lane = s.lane;
  unsigned x = s.u[0];
  bitonic([&x, lane](int size, int step) {
    const unsigned other = from_xor(x, step);
    const bool up = ((lane & size) == 0) == ((lane & step) == 0);
    x = up ? min(x, other) : max(x, other);
  });
  s.u[0] = x;
}
END_BODY

BODY(sort_float) {
  const unsigned lane = s.lane;
  float x = s.f[0];
  bitonic([&x, lane](int size, int step) {
    const float other = from_xor(x, step);
    const bool up = ((lane & size) == 0) == ((lane & step) == 0);
    x = up ? fminf(x, other) : fmaxf(x, other);
  });
  s.f[0] = x;
}
END_BODY

BODY(sort_pairs) {
  const unsigned lane = s.lane;
  unsigned key = s.u[0];
  unsigned value = s.u[1];
  bitonic([&](int size, int step) {
    const unsigned key_there = from_xor(key, step);
    const unsigned value_there = from_xor(value, step);
    const bool up = ((lane & size) == 0) == ((lane & step) == 0);
    const bool take = (key > key_there) == up;
    key = take ? key_there : key;
    value = take ? value_there : value;
  });
  s.u[0] = key;
  s.u[1] = value;
}
END_BODY

BODY(sort_four_each) {
  const unsigned lane = s.lane;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const unsigned other = from_xor(s.u[i], step);
      s.u[i] = (lane & step) == 0 ? min(s.u[i], other) : max(s.u[i], other);
    }
  }
#pragma unroll
  for (int i = 0; i < 4; i += 2) {
    const unsigned low = min(s.u[i], s.u[i + 1]);
    s.u[i + 1] = max(s.u[i], s.u[i + 1]);
    s.u[i] = low;
  }
}
END_BODY

BODY(sort_shared) {
  const unsigned row = lane_address(s);
  unsigned x = s.u[0];
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const unsigned partner = row ^ (step * 4);
#pragma unroll
    for (int again = 0; again < 2; ++again) {
      store<0>(row, x);
      __syncwarp();
      const unsigned other = load<0>(partner);
      x = (s.lane & step) == 0 ? min(x, other) : max(x, other);
      __syncwarp();
    }
  }
  s.u[0] = x;
}
END_BODY

template <int kEach>
__device__ __forceinline__ void softmax(State& s) {
  float most = s.f[0];
#pragma unroll
  for (int i = 1; i < kEach; ++i) most = fmaxf(most, s.f[i]);
  most = max_xor(most);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    s.f[i] = exp2_fast((s.f[i] - most) * 1.442695f);
    sum += s.f[i];
  }
  const float scale = reciprocal(sum_xor(sum));
#pragma unroll
  for (int i = 0; i < kEach; ++i) s.f[i] *= scale;
}
BODY(softmax_one) {
  softmax<1>(s);
  softmax<1>(s);
}
END_BODY
BODY(softmax_four) {
  softmax<4>(s);
  softmax<4>(s);
}
END_BODY
BODY(softmax_sixteen) { softmax<16>(s); }
END_BODY

BODY(softmax_block) {
  const unsigned row = lane_address(s);
  const unsigned own = s.shared + s.warp * 4;
  const float most = max_xor(fmaxf(s.f[0], s.f[1]));
  if (s.lane == 0) store<0>(own, most);
  __syncthreads();
  const float all = max_xor(load_float<0>(row));
  s.f[0] = exp2_fast(s.f[0] - all);
  s.f[1] = exp2_fast(s.f[1] - all);
  const float sum = sum_xor(s.f[0] + s.f[1]);
  if (s.lane == 0) store<128>(own, sum);
  __syncthreads();
  const float scale = reciprocal(sum_xor(load_float<128>(row)));
  s.f[0] *= scale;
  s.f[1] *= scale;
}
END_BODY

BODY(layer_norm) {
  float sum = 0;
  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += s.f[i];
    squares = fmaf(s.f[i], s.f[i], squares);
  }
  sum = sum_xor(sum);
  squares = sum_xor(squares);
  const float mean = sum * (1.0f / 256);
  const float scale = rsqrt_fast(fmaf(-mean, mean, squares * (1.0f / 256)) + 1e-5f);
#pragma unroll
  for (int i = 0; i < 8; ++i) s.f[i] = (s.f[i] - mean) * scale;
}
END_BODY

BODY(stencil_three) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const float left = from_up(s.f[0], 1);
    const float right = from_down(s.f[0], 1);
    s.f[0] = fmaf(s.f[1], left, fmaf(s.f[2], s.f[0], s.f[3] * right));
  }
}
END_BODY

BODY(stencil_seven) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float sum = s.f[1] * s.f[0];
#pragma unroll
    for (int d = 1; d < 4; ++d) {
      sum = fmaf(s.f[1 + d], from_up(s.f[0], d), sum);
      sum = fmaf(s.f[4 + d], from_down(s.f[0], d), sum);
    }
    s.f[0] = sum;
  }
}
END_BODY

BODY(stencil_rows) {  // 5 points: rows in registers, columns by shuffle
#pragma unroll
  for (int r = 1; r < 9; ++r) {
    const float left = from_up(s.f[r], 1);
    const float right = from_down(s.f[r], 1);
    s.f[r] = fmaf(s.f[15], s.f[r - 1] + s.f[r + 1], fmaf(s.f[14], left + right, s.f[r]));
  }
}
END_BODY

BODY(stencil_shared) {
  const unsigned row = lane_address(s);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    store<128>(row, s.f[i]);
    __syncthreads();
    const float left = load_float<124>(row);
    const float right = load_float<132>(row);
    const float above = load_float<0>(row);
    const float below = load_float<256>(row);
    s.f[i] = fmaf(s.f[8], left + right, fmaf(s.f[9], above + below, s.f[i] * s.f[10]));
    __syncthreads();
  }
}
END_BODY

/// Square of registers and lanes turned over: exchange with lane ^ step, registers kept or sent.
template <int kSize>
__device__ __forceinline__ void transpose(State& s) {
#pragma unroll
  for (int step = 1; step < kSize; step *= 2) {
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      if ((i & step) != 0) continue;
      const bool upper = (s.lane & step) != 0;
      const float sent = upper ? s.f[i] : s.f[i + step];
      const float got = from_xor(sent, step);
      s.f[i] = upper ? got : s.f[i];
      s.f[i + step] = upper ? s.f[i + step] : got;
    }
  }
}
BODY(transpose_four) {
  transpose<4>(s);
  transpose<4>(s);
}
END_BODY
BODY(transpose_sixteen) { transpose<16>(s); }
END_BODY

template <int kStride>
__device__ __forceinline__ void transpose_shared(State& s) {
  const unsigned row = lane_address(s);
  const unsigned column = lane_address<kStride>(s);
  store<0>(row, s.f[0]);
  store<128>(row, s.f[1]);
  store<256>(row, s.f[2]);
  store<384>(row, s.f[3]);
  store<512>(row, s.f[4]);
  store<640>(row, s.f[5]);
  store<768>(row, s.f[6]);
  store<896>(row, s.f[7]);
  __syncthreads();
  s.f[0] = load_float<0, kStride>(column);
  s.f[1] = load_float<4, kStride>(column);
  s.f[2] = load_float<8, kStride>(column);
  s.f[3] = load_float<12, kStride>(column);
  s.f[4] = load_float<16, kStride>(column);
  s.f[5] = load_float<20, kStride>(column);
  s.f[6] = load_float<24, kStride>(column);
  s.f[7] = load_float<28, kStride>(column);
}
BODY(transpose_rows) { transpose_shared<1>(s); }
END_BODY
BODY(transpose_conflict8) { transpose_shared<8>(s); }
END_BODY
BODY(transpose_conflict32) { transpose_shared<32>(s); }
END_BODY

BODY(matrix_vector) {  // a lane's row of 16 times a vector that lies in the lanes
#pragma unroll
  for (int i = 0; i < 16; ++i) s.f[15] = fmaf(s.f[i & 7], from_lane(s.f[8], i), s.f[15]);
}
END_BODY

BODY(fourier_butterflies) {
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float real = from_xor(s.f[0], step);
    const float imaginary = from_xor(s.f[1], step);
    const float sign = (s.lane & step) != 0 ? -1.0f : 1.0f;
    const float a = fmaf(sign, s.f[0], real);
    const float b = fmaf(sign, s.f[1], imaginary);
    s.f[0] = fmaf(a, s.f[2], -(b * s.f[3]));
    s.f[1] = fmaf(a, s.f[3], b * s.f[2]);
  }
}
END_BODY

BODY(argmax) {
  float best = s.f[0];
  unsigned where = s.u[0];
#pragma unroll
  for (int again = 0; again < 2; ++again) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
      const float other = from_down(best, step);
      const unsigned there = from_down(where, step);
      where = other > best ? there : where;
      best = fmaxf(best, other);
    }
    best += s.f[1];
  }
  s.f[0] = best;
  s.u[0] = where;
}
END_BODY

BODY(ballot_rank) {
  unsigned rank = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const unsigned votes = __ballot_sync(0xffffffff, s.u[i] > s.u[i + 8]);
    rank += __popc(votes & ((1u << s.lane) - 1));
    s.u[i] = rank;
  }
}
END_BODY

}  // namespace bodies

SPREAD(scan_integer)
SPREAD(scan_exclusive)
SPREAD(scan_selects)
SPREAD(scan_two_at_once)
SPREAD(scan_shared)
SPREAD(block_scan)
SPREAD(block_scan_four)
SPREAD(block_scan_shared)
SPREAD(block_maximum)
SPREAD(sort_bitonic)
SPREAD(sort_float)
SPREAD(sort_pairs)
SPREAD(sort_four_each)
SPREAD(sort_shared)
SPREAD(softmax_one)
SPREAD(softmax_four)
SPREAD(softmax_sixteen)
SPREAD(softmax_block)
SPREAD(layer_norm)
SPREAD(stencil_three)
SPREAD(stencil_seven)
SPREAD(stencil_rows)
SPREAD(stencil_shared)
SPREAD(transpose_four)
SPREAD(transpose_sixteen)
SPREAD(transpose_rows)
SPREAD(transpose_conflict8)
SPREAD(transpose_conflict32)
SPREAD(matrix_vector)
SPREAD(fourier_butterflies)
SPREAD(argmax)
SPREAD(ballot_rank)
