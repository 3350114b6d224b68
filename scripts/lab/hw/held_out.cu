// SPDX-License-Identifier: Apache-2.0
// Other algorithms of the families of algorithms.cu: measured, put aside, and not looked at while
// the model was being made.
#include <cuda_fp16.h>

#include "frame.cuh"

namespace bodies {

constexpr unsigned kAll = 0xffffffffu;

BODY(brent_kung) {  // up-sweep and down-sweep
  float x = s.f[0];
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const float y = __shfl_up_sync(kAll, x, step);
    if ((s.lane & (2 * step - 1)) == 2 * step - 1) x += y;
  }
#pragma unroll
  for (int step = 8; step > 0; step /= 2) {
    const float y = __shfl_up_sync(kAll, x, step);
    if (s.lane > step && (s.lane & (2 * step - 1)) == step - 1) x += y;
  }
  s.f[0] = x;
}
END_BODY

BODY(scan_wide) {  // 64-bit sums
  unsigned long long x = static_cast<unsigned long long>(s.u[0]) << 20 | s.u[1];
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const unsigned long long y = __shfl_up_sync(kAll, x, step);
    if (s.lane >= step) x += y;
  }
  s.u[0] = static_cast<unsigned>(x >> 32);
  s.u[1] = static_cast<unsigned>(x);
}
END_BODY

BODY(scan_segments_by_ballot) {  // the distance to the segment's head from a ballot
  const unsigned heads = __ballot_sync(kAll, (s.u[4] & 3) == 0) | 1;
  const unsigned start = 31 - __clz(heads & (0xffffffffu >> (31 - s.lane)));
  const unsigned distance = s.lane - start;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const unsigned y = __shfl_up_sync(kAll, s.u[i], step);
      if (distance >= step) s.u[i] += y;
    }
  }
}
END_BODY

BODY(scan_products_down) {
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    float x = s.f[i];
    float y = s.f[i + 2];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const float a = __shfl_down_sync(kAll, x, step);
      const float b = __shfl_down_sync(kAll, y, step);
      y = fmaf(x, b, y);
      x *= a;
    }
    s.f[i] = x;
    s.f[i + 2] = y;
  }
}
END_BODY

BODY(block_sweep) {  // up- and down-sweep in shared memory, a barrier a step
  const unsigned row = lane_address(s);
  unsigned x = s.u[0];
#pragma unroll
  for (int step = 1; step < 16; step *= 4) {
    store<0>(row, x);
    __syncthreads();
    const unsigned y = load<0>(row ^ (4 * step));
    __syncthreads();
    x = (s.lane & step) != 0 ? x + y : x;
    store<256>(row, x);
    __syncthreads();
    x += load<256>(row ^ (8 * step));
  }
  s.u[0] = x;
}
END_BODY

BODY(block_reduce_twice) {
  const unsigned row = lane_address(s);
  const unsigned own = s.shared + s.warp * 4;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    float sum = s.f[i] + s.f[i + 2];
#pragma unroll
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(kAll, sum, step);
    if (s.lane == 0) store<512>(own, sum);
    __syncthreads();
    sum = load_float<512>(row);
#pragma unroll
    for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(kAll, sum, step);
    s.f[i] = __shfl_sync(kAll, sum, 0);
    __syncthreads();
  }
}
END_BODY

BODY(sort_by_rank) {  // counts the smaller ones, scatters through shared memory
  unsigned rank = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) rank += __shfl_sync(kAll, s.u[0], i) < s.u[0];
  store<0>(s.shared + 4 * (rank & 31), s.u[0]);
  __syncwarp();
  s.u[0] = load<0>(lane_address(s));
}
END_BODY

BODY(sort_bitonic_two_each) {  // 64 values: two a lane
  float x = s.f[0];
  float y = s.f[1];
#pragma unroll
  for (int size = 4; size <= 32; size *= 2) {
    const bool up = (s.lane & (size / 2)) == 0;
#pragma unroll
    for (int step = size / 4; step > 0; step /= 2) {
      const float a = __shfl_xor_sync(kAll, x, step);
      const float b = __shfl_xor_sync(kAll, y, step);
      const bool low = ((s.lane & step) == 0) == up;
      x = low ? fminf(x, a) : fmaxf(x, a);
      y = low ? fminf(y, b) : fmaxf(y, b);
    }
    const float least = fminf(x, y);
    const float most = fmaxf(x, y);
    x = up ? least : most;
    y = up ? most : least;
  }
  s.f[0] = x;
  s.f[1] = y;
}
END_BODY

BODY(sort_shared_barriers) {
  const unsigned row = lane_address(s);
  float x = s.f[0];
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    store<0>(row, x);
    __syncthreads();
    const float y = load_float<0>(row ^ (4 * step));
    x = (s.lane & step) == 0 ? fminf(x, y) : fmaxf(x, y);
    __syncthreads();
  }
  s.f[0] = x;
}
END_BODY

BODY(compact_by_ballot) {  // prefix of predicates
  const unsigned below = (1u << s.lane) - 1;
  unsigned base = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const bool keep = static_cast<int>(s.u[i]) > static_cast<int>(s.u[i + 8]);
    const unsigned votes = __ballot_sync(kAll, keep);
    const unsigned place = base + __popc(votes & below);
    s.u[i + 4] = keep ? place : s.u[i + 4];
    base += __popc(votes);
  }
}
END_BODY

BODY(softmax_rows) {  // rows of eight lanes each; the logarithm of it
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    float most = s.f[i];
#pragma unroll
    for (int step = 4; step > 0; step /= 2)
      most = fmaxf(most, __shfl_xor_sync(kAll, most, step, 8));
    const float shifted = s.f[i] - most;
    float sum = __expf(shifted);
#pragma unroll
    for (int step = 4; step > 0; step /= 2) sum += __shfl_xor_sync(kAll, sum, step, 8);
    s.f[i] = shifted - __logf(sum);
  }
}
END_BODY

BODY(block_softmax_four) {
  const unsigned row = lane_address(s);
  float most = fmaxf(fmaxf(s.f[0], s.f[1]), fmaxf(s.f[2], s.f[3]));
#pragma unroll
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, step));
  if (s.lane == 0) store<0>(s.shared + s.warp * 4, most);
  __syncthreads();
  most = load_float<0>(row);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(kAll, most, step));
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    s.f[i] = __expf(s.f[i] - most);
    sum += s.f[i];
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAll, sum, step);
  if (s.lane == 0) store<128>(s.shared + s.warp * 4, sum);
  __syncthreads();
  sum = load_float<128>(row);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(kAll, sum, step);
  const float scale = reciprocal(sum);
#pragma unroll
  for (int i = 0; i < 4; ++i) s.f[i] *= scale;
}
END_BODY

BODY(norm_half2) {
  __half2 sum = *reinterpret_cast<__half2*>(&s.u[0]);
#pragma unroll
  for (int i = 1; i < 8; ++i) {
    const __half2 x = *reinterpret_cast<__half2*>(&s.u[i]);
    sum = __hfma2(x, x, sum);
  }
  float total = __low2float(sum) + __high2float(sum);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) total += __shfl_xor_sync(kAll, total, step);
  const __half2 scale = __float2half2_rn(rsqrt_fast(total));
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const __half2 x = __hmul2(*reinterpret_cast<__half2*>(&s.u[i]), scale);
    s.u[i] = *reinterpret_cast<const unsigned*>(&x);
  }
}
END_BODY

BODY(normal_numbers) {  // a linear congruence, then Box and Muller
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    s.u[0] = s.u[0] * 1664525u + 1013904223u;
    const float a = static_cast<float>(s.u[0] >> 8) * 5.9604645e-8f;
    s.u[0] = s.u[0] * 1664525u + 1013904223u;
    const float b = static_cast<float>(s.u[0] >> 8) * 3.7450704e-7f;
    const float radius = -2.0f * __logf(a);
    s.f[i] = radius * rsqrt_fast(radius) * __cosf(b);
    s.f[i + 3] = radius * rsqrt_fast(radius) * __sinf(b);
  }
}
END_BODY

BODY(wave_shuffle) {  // second order in time, two fields a lane
#pragma unroll
  for (int time = 0; time < 6; ++time) {
    const float around = __shfl_up_sync(kAll, s.f[0], 1) + __shfl_down_sync(kAll, s.f[0], 1);
    const float next = fmaf(s.f[2], around - 2 * s.f[0], 2 * s.f[0] - s.f[1]);
    s.f[1] = s.f[0];
    s.f[0] = next;
  }
}
END_BODY

BODY(stencil_shared_block) {  // 5 points in tiles, two barriers a step
  const unsigned row = lane_address(s);
#pragma unroll
  for (int i = 0; i < 3; ++i) {
    store<256>(row, s.f[0]);
    store<384>(row, s.f[1]);
    __syncthreads();
    const float a = load_float<252>(row) + load_float<260>(row) + load_float<128>(row);
    const float b = load_float<380>(row) + load_float<388>(row) + load_float<512>(row);
    __syncthreads();
    const float kept = s.f[0];
    s.f[0] = fmaf(s.f[8], a + s.f[1], s.f[9] * s.f[0]);
    s.f[1] = fmaf(s.f[8], b + kept, s.f[9] * s.f[1]);
  }
}
END_BODY

BODY(filter_taps) {  // the weights lie in the lanes
#pragma unroll
  for (int tap = 0; tap < 9; ++tap) {
    const float weight = __shfl_sync(kAll, s.f[15], tap);
    const float x = __shfl_down_sync(kAll, s.f[0], tap);
    s.f[1] = fmaf(weight, x, s.f[1]);
  }
  s.f[0] = s.f[1];
}
END_BODY

BODY(transpose_eight_rotating) {  // rotates, so that every lane sends one register a step
#pragma unroll
  for (int i = 1; i < 8; ++i) {
    const unsigned source = (s.lane & ~7u) | ((s.lane + i) & 7);
    s.u[i] = __shfl_sync(kAll, s.u[i], source);
  }
#pragma unroll
  for (int step = 1; step < 8; step *= 2) {
    const bool swap = (s.lane & step) != 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      if ((i & step) != 0) continue;
      const unsigned kept = swap ? s.u[i + step] : s.u[i];
      s.u[i + step] = swap ? s.u[i] : s.u[i + step];
      s.u[i] = kept;
    }
  }
}
END_BODY

BODY(transpose_two_ways) {  // two-way conflicts of loads behind row stores, one warp by itself
  const unsigned row = lane_address(s);
  const unsigned column = lane_address<2>(s);
  store<0>(row, s.f[0]);
  store<128>(row, s.f[1]);
  store<256>(row, s.f[2]);
  store<384>(row, s.f[3]);
  __syncwarp();
  s.f[0] = load_float<0, 2>(column);
  s.f[1] = load_float<4, 2>(column);
  s.f[2] = load_float<8, 2>(column) + s.f[0];
  s.f[3] = load_float<12, 2>(column) + s.f[1];
  __syncwarp();
}
END_BODY

BODY(transpose_bytes) {  // 4 by 4 bytes of neighbouring lanes
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    unsigned x = s.u[i];
    const unsigned y = __shfl_xor_sync(kAll, x, 1);
    x = (s.lane & 1) == 0 ? __byte_perm(x, y, 0x6240) : __byte_perm(x, y, 0x3715);
    const unsigned z = __shfl_xor_sync(kAll, x, 2);
    s.u[i] = (s.lane & 2) == 0 ? __byte_perm(x, z, 0x5410) : __byte_perm(x, z, 0x3276);
  }
}
END_BODY

BODY(reduce_redux_mixed) {
  unsigned x = s.u[0];
#pragma unroll
  for (int i = 1; i < 4; ++i) {
    x = __reduce_min_sync(kAll, x ^ s.u[i]);
    x |= __reduce_or_sync(kAll, s.u[i + 4]);
    s.u[i] += x;
  }
}
END_BODY

BODY(first_lane_of) {  // vote, find first, broadcast
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    const unsigned votes = __ballot_sync(kAll, s.u[i] > s.u[15]);
    s.u[i] = __shfl_sync(kAll, s.u[i], __ffs(votes) - 1);
  }
}
END_BODY

BODY(argmin_packed) {  // value and place in 64 bits
  unsigned long long x = static_cast<unsigned long long>(s.u[0]) << 32 | s.lane;
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    const unsigned long long y = __shfl_down_sync(kAll, x, step);
    x = y < x ? y : x;
  }
  s.u[0] = static_cast<unsigned>(x >> 32);
  s.u[1] = static_cast<unsigned>(x);
}
END_BODY

BODY(dot_product_half2) {
  __half2 sum = *reinterpret_cast<__half2*>(&s.u[0]);
#pragma unroll
  for (int i = 1; i < 8; ++i)
    sum = __hfma2(*reinterpret_cast<__half2*>(&s.u[i]), *reinterpret_cast<__half2*>(&s.u[i + 8]),
                  sum);
#pragma unroll
  for (int step = 16; step > 0; step /= 2) sum = __hadd2(sum, __shfl_xor_sync(kAll, sum, step));
  s.u[0] = *reinterpret_cast<unsigned*>(&sum);
}
END_BODY

BODY(histogram_bytes) {  // four counters a register
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const unsigned bin = s.u[i] & 7;
    const unsigned one = 1u << (8 * (bin & 3));
    s.u[8] += bin < 4 ? one : 0;
    s.u[9] += bin >= 4 ? one : 0;
  }
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    s.u[8] += __shfl_xor_sync(kAll, s.u[8], step);
    s.u[9] += __shfl_xor_sync(kAll, s.u[9], step);
  }
}
END_BODY

BODY(walsh_hadamard) {  // 64 integers, two a lane
  int x = static_cast<int>(s.u[0]);
  int y = static_cast<int>(s.u[1]);
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    const int a = __shfl_xor_sync(kAll, x, step);
    const int b = __shfl_xor_sync(kAll, y, step);
    x = (s.lane & step) != 0 ? a - x : a + x;
    y = (s.lane & step) != 0 ? b - y : b + y;
  }
  s.u[0] = x + y;
  s.u[1] = x - y;
}
END_BODY

BODY(product_shared) {  // a tile in shared memory: one operand broadcast, one by lane
  const unsigned row = lane_address(s);
  const unsigned same = s.shared;
#define PRODUCT_STEP(K)                       \
  {                                           \
    const float a = load_float<K * 4>(same);  \
    const float b = load_float<K * 128>(row); \
    s.f[0] = fmaf(a, b, s.f[0]);              \
    s.f[1] = fmaf(a, s.f[8 + K], s.f[1]);     \
    s.f[2] = fmaf(b, s.f[8 + K], s.f[2]);     \
  }
  PRODUCT_STEP(0)
  PRODUCT_STEP(1)
  PRODUCT_STEP(2)
  PRODUCT_STEP(3)
  PRODUCT_STEP(4)
  PRODUCT_STEP(5)
  PRODUCT_STEP(6)
  PRODUCT_STEP(7)
#undef PRODUCT_STEP
}
END_BODY

BODY(forces) {  // bodies in the lanes, one after the other broadcast
#pragma unroll
  for (int i = 0; i < 6; ++i) {
    const float x = __shfl_sync(kAll, s.f[0], i) - s.f[0];
    const float y = __shfl_sync(kAll, s.f[1], i) - s.f[1];
    const float inverse = rsqrt_fast(fmaf(x, x, fmaf(y, y, 1e-3f)));
    const float force = inverse * inverse * inverse;
    s.f[2] = fmaf(force, x, s.f[2]);
    s.f[3] = fmaf(force, y, s.f[3]);
  }
}
END_BODY

}  // namespace bodies

SPREAD(brent_kung)
SPREAD(scan_wide)
SPREAD(scan_segments_by_ballot)
SPREAD(scan_products_down)
SPREAD(block_sweep)
SPREAD(block_reduce_twice)
SPREAD(sort_by_rank)
SPREAD(sort_bitonic_two_each)
SPREAD(sort_shared_barriers)
SPREAD(compact_by_ballot)
SPREAD(softmax_rows)
SPREAD(block_softmax_four)
SPREAD(norm_half2)
SPREAD(normal_numbers)
SPREAD(wave_shuffle)
SPREAD(stencil_shared_block)
SPREAD(filter_taps)
SPREAD(transpose_eight_rotating)
SPREAD(transpose_two_ways)
SPREAD(transpose_bytes)
SPREAD(reduce_redux_mixed)
SPREAD(first_lane_of)
SPREAD(argmin_packed)
SPREAD(dot_product_half2)
SPREAD(histogram_bytes)
SPREAD(walsh_hadamard)
SPREAD(product_shared)
SPREAD(forces)
