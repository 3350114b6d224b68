// SPDX-License-Identifier: Apache-2.0
// Results that come back from the shared units among results of the math pipes, in registers of one
// bank or of the other: values that are moved four at a time have registers 4n to 4n + 3.
#include "frame.cuh"

namespace bodies {

constexpr int kQuads = 5;
constexpr int kRounds = 16;

struct Quads {
  float at[kQuads][4];
};

__device__ __forceinline__ Quads load_quads(unsigned address) {
  Quads q;
#pragma unroll
  for (int i = 0; i < kQuads; ++i)
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(q.at[i][0]), "=f"(q.at[i][1]), "=f"(q.at[i][2]), "=f"(q.at[i][3])
                 : "r"(address + 512 * i));
  return q;
}
__device__ __forceinline__ void store_quads(unsigned address, const Quads& q) {
#pragma unroll
  for (int i = 0; i < kQuads; ++i)
    asm volatile("st.volatile.shared.v4.f32 [%4], {%0, %1, %2, %3};" ::"f"(q.at[i][0]),
                 "f"(q.at[i][1]), "f"(q.at[i][2]), "f"(q.at[i][3]), "r"(address + 512 * i));
}

struct Shuffle {
  static __device__ __forceinline__ float run(float value, unsigned) { return from_xor(value, 1); }
};
struct Special {
  static __device__ __forceinline__ float run(float value, unsigned) { return exp2_fast(value); }
};
struct Load {
  static __device__ __forceinline__ float run(float, unsigned address) {
    return load_float<0>(address);
  }
};

/// A result of Source into an even register, and meanwhile kAdds additions into even (kOdd = 0) or
/// odd registers; then the result is used.
template <class Source, int kOdd, int kAdds>
__device__ __forceinline__ void among_adds(State& s) {
  const unsigned wide = s.shared + s.lane * 16;
  Quads q = load_quads(wide);
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
    q.at[0][0] = Source::run(q.at[0][0], s.shared + s.lane * 4);
#pragma unroll
    for (int i = 0; i < kAdds; ++i)
      asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(q.at[1 + i / 2 % 4][i % 2 * 2 + kOdd]));
    asm volatile("add.f32 %0, %0, 0f40000000;" : "+f"(q.at[0][0]));
  }
  store_quads(wide, q);
}

BODY(shuffle_even_16) { among_adds<Shuffle, 0, 16>(s); }
END_BODY
BODY(shuffle_odd_16) { among_adds<Shuffle, 1, 16>(s); }
END_BODY
BODY(shuffle_even_32) { among_adds<Shuffle, 0, 32>(s); }
END_BODY
BODY(shuffle_odd_32) { among_adds<Shuffle, 1, 32>(s); }
END_BODY
BODY(shuffle_even_64) { among_adds<Shuffle, 0, 64>(s); }
END_BODY
BODY(shuffle_odd_64) { among_adds<Shuffle, 1, 64>(s); }
END_BODY
BODY(load_even_32) { among_adds<Load, 0, 32>(s); }
END_BODY
BODY(load_odd_32) { among_adds<Load, 1, 32>(s); }
END_BODY
BODY(special_even_16) { among_adds<Special, 0, 16>(s); }
END_BODY
BODY(special_odd_16) { among_adds<Special, 1, 16>(s); }
END_BODY
BODY(special_even_32) { among_adds<Special, 0, 32>(s); }
END_BODY
BODY(special_odd_32) { among_adds<Special, 1, 32>(s); }
END_BODY

}  // namespace bodies

PLACED(shuffle_even_16)
PLACED(shuffle_odd_16)
PLACED(shuffle_even_32)
PLACED(shuffle_odd_32)
PLACED(shuffle_even_64)
PLACED(shuffle_odd_64)
PLACED(load_even_32)
PLACED(load_odd_32)
PLACED(special_even_16)
PLACED(special_odd_16)
PLACED(special_even_32)
PLACED(special_odd_32)
