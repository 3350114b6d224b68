// SPDX-License-Identifier: Apache-2.0
// Loads from global memory that the L1 has: one after the other, and as many as it takes.
#include "frame.cuh"

namespace bodies {

__device__ unsigned zeros[4096];

__device__ __forceinline__ unsigned global_load(const unsigned* address) {
  unsigned value;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}

/// Each load's address is the value of the one before.
BODY(global_chain) {
  unsigned index = s.lane;
#pragma unroll
  for (int i = 0; i < 16; ++i) index = global_load(zeros + index);
  s.u[0] += index;
}
END_BODY

template <int kLoads>
__device__ __forceinline__ void rows(State& s) {
  const unsigned* own = zeros + s.lane;
  unsigned values[kLoads];
#pragma unroll
  for (int i = 0; i < kLoads; ++i) values[i] = global_load(own + 32 * i);
#pragma unroll
  for (int i = 0; i < kLoads; ++i) s.u[i % kValues] ^= values[i];
}
BODY(global_rows_4) { rows<4>(s); }
END_BODY
BODY(global_rows_16) { rows<16>(s); }
END_BODY
BODY(global_rows_32) { rows<32>(s); }
END_BODY

}  // namespace bodies

SPREAD(global_chain)
SPREAD(global_rows_4)
SPREAD(global_rows_16)
SPREAD(global_rows_32)
