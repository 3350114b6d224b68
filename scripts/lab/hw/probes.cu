// SPDX-License-Identifier: Apache-2.0
// One question each: bank conflicts, one sub-partition alone, how much waits in the queues, what a
// barrier costs, when a source register may be written again.
#include "frame.cuh"

namespace bodies {

template <int kStride>
__device__ __forceinline__ void loads(State& s) {
  const unsigned address = lane_address<kStride>(s);
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    s.u[0] ^= load<0, kStride>(address);
    s.u[1] ^= load<4, kStride>(address);
    s.u[2] ^= load<8, kStride>(address);
    s.u[3] ^= load<12, kStride>(address);
  }
}
template <int kStride>
__device__ __forceinline__ void stores(State& s) {
  const unsigned address = lane_address<kStride>(s);
#pragma unroll
  for (int i = 0; i < 16; ++i) store<0, kStride>(address, s.u[i]);
}
BODY(load_row) { loads<1>(s); }
END_BODY
BODY(load_conflict4) { loads<4>(s); }
END_BODY
BODY(load_conflict16) { loads<16>(s); }
END_BODY
BODY(store_row) { stores<1>(s); }
END_BODY
BODY(store_conflict2) { stores<2>(s); }
END_BODY
BODY(store_conflict8) { stores<8>(s); }
END_BODY
BODY(store_conflict32) { stores<32>(s); }
END_BODY

BODY(load_wide2) {
  const unsigned address = s.shared + s.lane * 8;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    unsigned a, b;
    asm volatile("ld.volatile.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(address));
    s.u[i] ^= a;
    s.u[i + 8] ^= b;
  }
}
END_BODY
BODY(load_wide4) {
  const unsigned address = s.shared + s.lane * 16;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    unsigned a, b, c, d;
    asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(address));
    s.u[i] ^= a;
    s.u[i + 4] ^= b;
    s.u[i + 8] ^= c;
    s.u[i + 12] ^= d;
  }
}
END_BODY
BODY(store_wide2) {
  const unsigned address = s.shared + s.lane * 8;
#pragma unroll
  for (int i = 0; i < 16; i += 2)
    asm volatile("st.volatile.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(s.u[i]),
                 "r"(s.u[i + 1]));
}
END_BODY
BODY(store_wide4) {
  const unsigned address = s.shared + s.lane * 16;
#pragma unroll
  for (int i = 0; i < 16; i += 4)
    asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(s.u[i]),
                 "r"(s.u[i + 1]), "r"(s.u[i + 2]), "r"(s.u[i + 3]));
}
END_BODY

template <int kTimes, class Step>
__device__ __forceinline__ void repeat(Step step) {
#pragma unroll
  for (int i = 0; i < kTimes; ++i) step(i);
}

BODY(shuffle_one_source) {
  repeat<48>([&s](int i) { s.u[i % 8] = from_xor(s.u[i % 8], 1u); });
}
END_BODY
BODY(shuffle_two_sources) {
  repeat<48>([&s](int i) { s.u[i % 8] = from_lane(s.u[i % 8], s.u[15]); });
}
END_BODY
BODY(special_functions) {
  repeat<32>([&s](int i) { s.f[i % 8] = exp2_fast(s.f[i % 8]); });
}
END_BODY
BODY(special_and_shuffle) {
  repeat<24>([&s](int i) {
    s.f[i % 8] = exp2_fast(s.f[i % 8]);
    s.u[i % 8] = from_xor(s.u[i % 8], 1u);
  });
}
END_BODY
BODY(special_and_load) {
  const unsigned address = lane_address(s);
  repeat<24>([&s, address](int i) {
    s.f[i % 8] = exp2_fast(s.f[i % 8]);
    s.u[i % 8] = load<0>(address);
  });
}
END_BODY
BODY(special_and_add) {
  repeat<24>([&s](int i) {
    s.f[i % 8] = exp2_fast(s.f[i % 8]);
    s.f[8] = fmaf(s.f[9], s.f[10], s.f[8]);
    s.f[11] = fmaf(s.f[12], s.f[13], s.f[11]);
  });
}
END_BODY
BODY(add_chains) {
  repeat<64>([&s](int i) { s.f[i % 8] = s.f[i % 8] + s.f[8 + i % 8]; });
}
END_BODY
BODY(multiply_add_chains) {
  repeat<64>([&s](int i) { s.f[i % 8] = fmaf(s.f[i % 8], s.f[8 + i % 8], s.f[8]); });
}
END_BODY
BODY(integer_chains) {
  repeat<64>([&s](int i) { s.u[i % 8] = (s.u[i % 8] ^ s.u[8 + i % 8]) & s.u[8]; });
}
END_BODY
BODY(integer_multiply_chains) {
  repeat<64>([&s](int i) { s.u[i % 8] = s.u[i % 8] * s.u[8 + i % 8] + s.u[8]; });
}
END_BODY
BODY(float_and_integer) {
  repeat<40>([&s](int i) {
    s.f[i % 8] = fmaf(s.f[i % 8], s.f[8 + i % 8], s.f[8]);
    s.u[i % 8] = (s.u[i % 8] ^ s.u[8 + i % 8]) & s.u[8];
  });
}
END_BODY
BODY(shifts_and_adds) {
  repeat<40>([&s](int i) {
    s.u[i % 8] = (s.u[i % 8] << 3) ^ s.u[8 + i % 8];
    s.u[(i + 3) % 8] += s.u[8 + i % 8];
  });
}
END_BODY

/// How many shuffles leave the scheduler before it stops: math of another kind follows them.
template <int kShuffles>
__device__ __forceinline__ void burst(State& s) {
  repeat<kShuffles>([&s](int i) { s.u[i] = from_xor(s.u[i], 1u); });
  repeat<16>([&s](int i) { s.f[i % 8] = fmaf(s.f[i % 8], s.f[8 + i % 8], s.f[15]); });
}
BODY(burst4) { burst<4>(s); }
END_BODY
BODY(burst8) { burst<8>(s); }
END_BODY
BODY(burst12) { burst<12>(s); }
END_BODY
BODY(burst16) { burst<16>(s); }
END_BODY

/// A register that the queue still has to read is written again.
BODY(rewrite_shuffle_source) {
  repeat<16>([&s](int i) {
    s.u[8 + i % 4] = from_xor(s.u[0], 1u);
    s.u[0] += s.u[4];
  });
}
END_BODY
BODY(rewrite_stored_value) {
  const unsigned address = lane_address(s);
  repeat<16>([&s, address](int) {
    store<0>(address, s.u[0]);
    s.u[0] += s.u[4];
  });
}
END_BODY
BODY(rewrite_special_source) {
  repeat<16>([&s](int i) {
    s.f[8 + i % 4] = exp2_fast(s.f[0]);
    s.f[0] += s.f[4];
  });
}
END_BODY

BODY(barriers_and_math) {
  repeat<8>([&s](int i) {
    __syncthreads();
    s.f[i] = fmaf(s.f[i], s.f[8], s.f[9]);
    s.f[i + 1] = fmaf(s.f[i], s.f[8], s.f[9]);
  });
}
END_BODY
BODY(barriers_and_loads) {
  const unsigned address = lane_address(s);
  repeat<8>([&s, address](int i) {
    store<0>(address, s.u[i]);
    __syncthreads();
    s.u[i] += load<4>(address);
    __syncthreads();
  });
}
END_BODY
BODY(barriers_and_shuffles) {
  repeat<8>([&s](int i) {
    s.u[i] += from_xor(s.u[i], 1u);
    __syncthreads();
  });
}
END_BODY
BODY(warp_barriers) {
  repeat<16>([&s](int i) {
    s.u[i % 8] += from_xor(s.u[i % 8], 1u);
    __syncwarp();
  });
}
END_BODY

}  // namespace bodies

SPREAD(load_row)
SPREAD(load_conflict4)
SPREAD(load_conflict16)
SPREAD(store_row)
SPREAD(store_conflict2)
SPREAD(store_conflict8)
SPREAD(store_conflict32)
SPREAD(load_wide2)
SPREAD(load_wide4)
SPREAD(store_wide2)
SPREAD(store_wide4)
SPREAD(shuffle_one_source)
SPREAD(shuffle_two_sources)
PLACED(special_functions)
SPREAD(special_and_shuffle)
SPREAD(special_and_load)
PLACED(special_and_add)
PLACED(add_chains)
PLACED(multiply_add_chains)
PLACED(integer_chains)
PLACED(integer_multiply_chains)
PLACED(float_and_integer)
PLACED(shifts_and_adds)
SPREAD(burst4)
SPREAD(burst8)
SPREAD(burst12)
SPREAD(burst16)
SPREAD(rewrite_shuffle_source)
SPREAD(rewrite_stored_value)
SPREAD(rewrite_special_source)
SPREAD(barriers_and_math)
SPREAD(barriers_and_loads)
SPREAD(barriers_and_shuffles)
SPREAD(warp_barriers)
