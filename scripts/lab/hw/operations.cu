// SPDX-License-Identifier: Apache-2.0
// One operation each that the other files do not time by itself: how often it issues and when its
// result is there.
#include <cuda_fp16.h>

#include "frame.cuh"

namespace bodies {

constexpr unsigned kAll = 0xffffffffu;

template <int kTimes, class Step>
__device__ __forceinline__ void repeat(Step step) {
#pragma unroll
  for (int i = 0; i < kTimes; ++i) step(i);
}
__device__ __forceinline__ __half2 half2_of(unsigned x) { return *reinterpret_cast<__half2*>(&x); }
__device__ __forceinline__ unsigned bits_of(__half2 x) { return *reinterpret_cast<unsigned*>(&x); }

BODY(redux_chain) {
  repeat<16>([&s](int) { s.u[0] = __reduce_xor_sync(kAll, s.u[0]) + s.lane; });
}
END_BODY
BODY(redux_many) {
  repeat<16>([&s](int i) { s.u[i] = __reduce_add_sync(kAll, s.u[i]); });
}
END_BODY
BODY(match_chain) {
  repeat<4>([&s](int) { s.u[0] = __match_any_sync(kAll, s.u[0] & 3); });
}
END_BODY
BODY(match_many) {
  repeat<4>([&s](int i) { s.u[i] = __match_any_sync(kAll, s.u[i] & 3); });
}
END_BODY
BODY(match_all) {
  int same;
  repeat<8>([&s, &same](int i) { s.u[i] = __match_all_sync(kAll, s.u[i], &same) + same; });
}
END_BODY
BODY(ballot_chain) {
  repeat<24>([&s](int) { s.u[0] = __ballot_sync(kAll, s.u[0] > s.lane); });
}
END_BODY
BODY(ballot_many) {
  repeat<16>([&s](int i) { s.u[i] = __ballot_sync(kAll, s.u[i] > s.lane); });
}
END_BODY
BODY(votes_to_branch_bits) {
  repeat<16>([&s](int i) { s.u[i] = __any_sync(kAll, s.u[i] > s.lane) ? s.u[i] : s.lane; });
}
END_BODY
BODY(popc_chain) {
  repeat<24>([&s](int) { s.u[0] = __popc(s.u[0]) ^ s.u[1]; });
}
END_BODY
BODY(popc_many) {
  repeat<16>([&s](int i) { s.u[i] = __popc(s.u[i]); });
}
END_BODY
BODY(find_leading) {
  repeat<16>([&s](int i) { s.u[i] = __clz(s.u[i]); });
}
END_BODY
BODY(reverse_bits) {
  repeat<16>([&s](int i) { s.u[i] = __brev(s.u[i]); });
}
END_BODY
BODY(round_float) {
  repeat<16>([&s](int i) { s.f[i] = floorf(s.f[i]); });
}
END_BODY
BODY(half2_chain) {
  __half2 x = half2_of(s.u[0]);
  repeat<48>([&](int i) { x = __hfma2(x, half2_of(s.u[1 + i % 8]), half2_of(s.u[12])); });
  s.u[0] = bits_of(x);
}
END_BODY
BODY(half2_many) {
  repeat<48>([&s](int i) {
    s.u[i % 8] = bits_of(__hfma2(half2_of(s.u[i % 8]), half2_of(s.u[8 + i % 8]), half2_of(s.u[8])));
  });
}
END_BODY
BODY(half2_least) {
  repeat<32>([&s](int i) {
    s.u[i % 8] = bits_of(__hmin2(half2_of(s.u[i % 8]), half2_of(s.u[8 + i % 8])));
  });
}
END_BODY
BODY(double_chain) {
  double x = s.f[0];
  repeat<16>([&](int) { x = fma(x, 1.5, 0.25); });
  s.f[0] = static_cast<float>(x);
}
END_BODY
BODY(double_many) {
  double x[4] = {s.f[0], s.f[1], s.f[2], s.f[3]};
  repeat<32>([&](int i) { x[i % 4] = fma(x[i % 4], 1.5, 0.25); });
  repeat<4>([&](int i) { s.f[i] = static_cast<float>(x[i]); });
}
END_BODY
BODY(wide_products) {
  unsigned long long x[4] = {s.u[0], s.u[1], s.u[2], s.u[3]};
  repeat<32>([&](int i) { x[i % 4] += static_cast<unsigned long long>(s.u[4 + i % 8]) * s.u[12]; });
  repeat<4>(
      [&](int i) { s.u[i] = static_cast<unsigned>(x[i] >> 32) ^ static_cast<unsigned>(x[i]); });
}
END_BODY
BODY(wide_sums) {
  unsigned long long x[4] = {s.u[0], s.u[1], s.u[2], s.u[3]};
  repeat<24>([&](int i) {
    x[i % 4] += static_cast<unsigned long long>(s.u[4 + i % 8]) << 32 | s.u[5 + i % 8];
  });
  repeat<4>(
      [&](int i) { s.u[i] = static_cast<unsigned>(x[i] >> 32) ^ static_cast<unsigned>(x[i]); });
}
END_BODY
BODY(permute_bytes) {
  repeat<48>([&s](int i) { s.u[i % 8] = __byte_perm(s.u[i % 8], s.u[8 + i % 8], 0x2541); });
}
END_BODY
BODY(funnel_shifts) {
  repeat<48>([&s](int i) { s.u[i % 8] = __funnelshift_l(s.u[i % 8], s.u[8 + i % 8], 5); });
}
END_BODY
BODY(shifts_by_register) {
  repeat<32>([&s](int i) { s.u[i % 8] = s.u[i % 8] << (s.u[8 + i % 8] & 31); });
}
END_BODY
BODY(compare_and_select) {
  repeat<32>([&s](int i) { s.f[i % 8] = s.f[i % 8] > s.f[8 + i % 8] ? s.f[15] : s.f[i % 8]; });
}
END_BODY
BODY(least_of_integers) {
  repeat<48>([&s](int i) { s.u[i % 8] = umin(s.u[i % 8], s.u[8 + i % 8]) + 1; });
}
END_BODY
BODY(least_of_floats) {
  repeat<48>([&s](int i) { s.f[i % 8] = fminf(s.f[i % 8], s.f[8 + i % 8]); });
}
END_BODY
BODY(dot_of_bytes) {
  repeat<48>([&s](int i) { s.u[i % 8] = __dp4a(s.u[8 + i % 8], s.u[9], s.u[i % 8]); });
}
END_BODY
BODY(absolute_differences) {
  repeat<24>([&s](int i) { s.u[i % 8] = __usad(s.u[i % 8], s.u[8 + i % 8], s.u[9]); });
}
END_BODY
BODY(adds_with_constants) {
  repeat<48>([&s](int i) { s.f[i % 8] = fmaf(s.f[i % 8], 1.0625f, 0.5f + i); });
}
END_BODY
BODY(guarded_adds) {
  repeat<32>([&s](int i) {
    if ((s.lane & (1 << (i % 5))) != 0) s.f[i % 8] += s.f[8 + i % 8];
  });
}
END_BODY
BODY(lane_numbers) {
  repeat<8>([&s](int i) {
    unsigned mask;
    asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    s.u[i] ^= mask;
  });
}
END_BODY
BODY(atomics_shared) {
  const unsigned row = lane_address(s);
  repeat<8>([&s, row](int i) {
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(row), "r"(s.u[i]) : "memory");
  });
}
END_BODY
BODY(atomics_returning) {
  const unsigned row = lane_address(s);
  repeat<8>([&s, row](int i) {
    asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                 : "=r"(s.u[i])
                 : "r"(row), "r"(s.u[i + 8])
                 : "memory");
  });
}
END_BODY
BODY(load_matrices) {
  const unsigned row = s.shared + s.lane * 16;
  repeat<4>([&s, row](int i) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(s.u[i]), "=r"(s.u[i + 4]), "=r"(s.u[i + 8]), "=r"(s.u[i + 12])
                 : "r"(row));
  });
}
END_BODY
BODY(load_bytes) {
  const unsigned row = s.shared + s.lane;
  repeat<16>([&s, row](int i) {
    asm volatile("ld.volatile.shared.u8 %0, [%1];" : "=r"(s.u[i]) : "r"(row));
  });
}
END_BODY
BODY(load_same_word) {
  repeat<16>([&s](int i) {
    asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(s.u[i]) : "r"(s.shared));
  });
}
END_BODY
BODY(matrix_products) {
  repeat<8>([&s](int i) {
    float* d = s.f + 4 * (i % 2);
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(s.u[0]), "r"(s.u[1]), "r"(s.u[2]), "r"(s.u[3]), "r"(s.u[4]), "r"(s.u[5]));
  });
}
END_BODY
BODY(hyperbolic_tangents) {
  repeat<16>([&s](int i) { asm volatile("tanh.approx.f32 %0, %0;" : "+f"(s.f[i])); });
}
END_BODY

}  // namespace bodies

SPREAD(redux_chain)
SPREAD(redux_many)
SPREAD(match_chain)
SPREAD(match_many)
SPREAD(match_all)
SPREAD(ballot_chain)
SPREAD(ballot_many)
SPREAD(votes_to_branch_bits)
SPREAD(popc_chain)
SPREAD(popc_many)
SPREAD(find_leading)
SPREAD(reverse_bits)
SPREAD(round_float)
SPREAD(half2_chain)
SPREAD(half2_many)
SPREAD(half2_least)
SPREAD(double_chain)
SPREAD(double_many)
SPREAD(wide_products)
SPREAD(wide_sums)
SPREAD(permute_bytes)
SPREAD(funnel_shifts)
SPREAD(shifts_by_register)
SPREAD(compare_and_select)
SPREAD(least_of_integers)
SPREAD(least_of_floats)
SPREAD(dot_of_bytes)
SPREAD(absolute_differences)
SPREAD(adds_with_constants)
SPREAD(guarded_adds)
SPREAD(lane_numbers)
SPREAD(atomics_shared)
SPREAD(atomics_returning)
SPREAD(load_matrices)
SPREAD(load_bytes)
SPREAD(load_same_word)
SPREAD(matrix_products)
SPREAD(hyperbolic_tangents)
