// SPDX-License-Identifier: Apache-2.0
// Instruction fetch: straight code of growing size, warm and cold, and code that jumps over gaps.
#include "frame.cuh"

namespace bodies {

/// One instruction a cycle where the code comes in time.
template <int kInstructions>
__device__ __forceinline__ void straight(State& s) {
#pragma unroll
  for (int i = 0; i < kInstructions; ++i) s.f[i % kValues] += 1.0f;
}

/// Each needs the result of that kChains before it.
template <int kInstructions, int kChains>
__device__ __forceinline__ void chains(State& s) {
#pragma unroll
  for (int i = 0; i < kInstructions; ++i) s.f[i % kChains] += 1.0f;
}

/// Seven additions and a jump over kGap instructions, again and again. `measure` takes away the
/// jumps' guard, which is the same for all threads.
template <int kJumps, int kGap>
__device__ __forceinline__ void jumps(State& s) {
  unsigned blocks;
  asm("mov.u32 %0, %%nctaid.y;" : "=r"(blocks));
#pragma unroll
  for (int jump = 0; jump < kJumps; ++jump) {
#pragma unroll
    for (int i = 0; i < 7; ++i) asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(s.f[i]));
    if (blocks != 77) continue;
#pragma unroll
    for (int i = 0; i < kGap; ++i) asm volatile("mul.f32 %0, %0, 0f3FC00000;" : "+f"(s.f[i % 16]));
  }
}

BODY(straight_256) { straight<256>(s); }
END_BODY
BODY(straight_1024) { straight<1024>(s); }
END_BODY
BODY(straight_1792) { straight<1792>(s); }
END_BODY
BODY(straight_2304) { straight<2304>(s); }
END_BODY
BODY(straight_3072) { straight<3072>(s); }
END_BODY
BODY(straight_6144) { straight<6144>(s); }
END_BODY
BODY(straight_9216) { straight<9216>(s); }
END_BODY
BODY(chains_3072) { chains<3072, 2>(s); }
END_BODY
BODY(jumps_8) { jumps<8, 24>(s); }
END_BODY
BODY(jumps_24) { jumps<24, 24>(s); }
END_BODY
BODY(jumps_40) { jumps<40, 56>(s); }
END_BODY
BODY(cold_1024) { straight<1024>(s); }
END_BODY
BODY(cold_3072) { straight<3072>(s); }
END_BODY
BODY(cold_6144) { straight<6144>(s); }
END_BODY

}  // namespace bodies

SPREAD(straight_256)
PLACED(straight_1024)
PLACED(straight_1792)
SPREAD(straight_2304)
PLACED(straight_3072)
SPREAD(straight_6144)
SPREAD(straight_9216)
PLACED(chains_3072)
JUMPS(jumps_8)
JUMPS(jumps_24)
JUMPS(jumps_40)
COLD(cold_1024)
COLD(cold_3072)
COLD(cold_6144)
