// SPDX-License-Identifier: Apache-2.0
// Operations of one warp of each sub-partition beside products of another warp: 256 of each, one behind the other, and each
// with 3 MOVs behind it. Rows: operation, products (0 none, 1 of 128 columns, 2 of 64 columns), packed, apart.
// nvcc -gencode arch=compute_90a,code=sm_90a -O3
#include <cstdio>

#include "products.cuh"

using u32 = uint32_t;

template <bool kWide>
HERE void products(uint32_t* data, volatile uint32_t* over, uint32_t* out) {
  const uint64_t a = rows_at(shared_at(data)), b = rows_at(shared_at(data) + 16384);
  constexpr int kCount = kWide ? 64 : 32;
  float d[kCount];
  for (float& each : d) each = 0;
  while (*over == 0) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int part = 0; part < 8; part++) {
      if constexpr (kWide) multiply_128(d, a + 2 * (part & 3), b + 2 * (part & 3));
      else multiply_64(d, a + 2 * (part & 3), b + 2 * (part & 3));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (float& each : d) asm volatile("" : "+f"(each)::"memory");
  }
  for (float& each : d)
    if (each != 0) out[255] = 1;
}

template <int kProducts>
__global__ void beside(const uint32_t* in, uint32_t* out) {
  extern __shared__ __align__(128) uint32_t data[];
  for (uint32_t i = threadIdx.x; i < 8192; i += blockDim.x) data[i] = 0;
  __shared__ volatile uint32_t over;
  if (threadIdx.x == 0) over = 0;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x < 128) {
    if constexpr (kProducts != 0) products<kProducts == 1>(data, &over, out);
    return;
  }
  float v[16], w = __uint_as_float(in[threadIdx.x]);
  for (int i = 0; i < 16; i++) v[i] = w + i;
  float c = w;
  for (uint32_t from = now(); now() - from < 3000;) {
  }
  const auto timed = [&](int place, auto operation) {
    for (int round = 0; round < 3; round++) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      const uint32_t t = now();
#pragma unroll
      for (int i = 0; i < 256; i++) operation(v[i % 16], v[(i + 5) % 16], v[(i + 9) % 16]);
      const uint32_t end = now();
      if (threadIdx.x == 128) out[place] = end - t;
    }
  };
  const auto apart = [&](int place, auto operation) {
    for (int round = 0; round < 3; round++) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      const uint32_t t = now();
#pragma unroll
      for (int i = 0; i < 128; i++) {
        operation(v[i % 16], v[(i + 5) % 16], v[(i + 9) % 16]);
        asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(c));
      }
      const uint32_t end = now();
      if (threadIdx.x == 128) out[32 + place] = end - t;
    }
  };
  const auto with_each = [](auto&& time) {
    time(0, [](float& x, float y, float z) { asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(y), "f"(z)); });
    time(1, [](float& x, float y, float z) { asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(y), "f"(z)); });
    time(2, [](float& x, float y, float z) { asm volatile("max.f32 %0, %0, %1;" : "+f"(x) : "f"(y), "f"(z)); });
    time(3, [](float& x, float y, float z) { asm volatile("max.f32 %0, %0, 0f3F800000;" : "+f"(x) : "f"(y), "f"(z)); });
    time(4, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("prmt.b32 %0, %0, 0x12345, 0x3025;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(5, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("xor.b32 %0, %0, %1;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(6, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(7, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("min.u32 %0, %0, 0x12345;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(8, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("min.u32 %0, %0, %1;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(9, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("shf.l.wrap.b32 %0, %0, %1, 7;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(10, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("prmt.b32 %0, %0, %1, 0x3021;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(11, [](float& x, float y, float z) { asm volatile("{.reg .b32 p; cvt.rn.bf16x2.f32 p, %0, %1; mov.b32 %0, p;}" : "+f"(x) : "f"(y), "f"(z)); });
    time(12, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("{.reg .pred p; setp.lt.u32 p, %0, %1; selp.b32 %0, %1, %2, p;}" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(13, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("{prmt.b32 %0, %0, 0x12345, 0x3025; mad.lo.u32 %0, %0, %1, %2;}" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); });
    time(14, [](float& x, float y, float z) { u32 i = __float_as_uint(x); asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(i) : "r"(__float_as_uint(y)), "r"(__float_as_uint(z))); x = __uint_as_float(i); asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(y), "f"(z)); });
  };
  with_each(timed);
  with_each(apart);

  for (float each : v) w += each;
  if (w + c == 1234567) out[254] = 1;
  over = 1;
}

int main() {
  const char* names[] = {"ffma","fadd","fmnmx_2","fmnmx_imm","prmt_imm","lop3_2","lop3_3","vimnmx_imm","vimnmx_2","shf_3","prmt_2","f2fp","setp_sel","prmt_imad","lop3_2_ffma"};
  u32 *in, *out, host[3][256];
  cudaMalloc(&in, 1 << 16);
  cudaMalloc(&out, 1024);
  cudaMemset(in, 0, 1 << 16);
  const auto run = [&](auto kernel, u32* to) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 33792);
    for (int i = 0; i < 2; ++i) kernel<<<1, 256, 33792>>>(in, out);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error) printf("error %s\n", cudaGetErrorString(error));
    cudaMemcpy(to, out, 1024, cudaMemcpyDeviceToHost);
  };
  run(beside<0>, host[0]);
  run(beside<1>, host[1]);
  run(beside<2>, host[2]);
  for (int p = 0; p < 3; ++p)
    for (int i = 0; i < 15; ++i) printf("%s,%d,%u,%u\n", names[i], p, host[p][i], host[p][32 + i]);
  return 0;
}
