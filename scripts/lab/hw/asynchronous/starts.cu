// SPDX-License-Identifier: Apache-2.0
// What kernels with tensor maps among their arguments take beyond their copies: Nsight Compute counts
// sm__cycles_active of each, with blocks of 32 threads.
#include "probe.cuh"

struct Maps {
  TensorMap all[4];
};
extern "C" __global__ void few_arguments(const uint32_t* in, uint32_t* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = in[0];
}
extern "C" __global__ void many_arguments(const __grid_constant__ Maps maps, const uint32_t* in, uint32_t* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = in[0];
}
extern "C" __global__ void many_read(const __grid_constant__ Maps maps, const uint32_t* in, uint32_t* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = maps.all[0].words[5] + maps.all[3].words[5] + in[0];
}
template <typename Load>
__device__ void loaded(uint32_t* out, Load load) {
  extern __shared__ __align__(1024) uint32_t data[];
  __shared__ alignas(8) uint64_t b;
  if (threadIdx.x != 0) return;
  begin_barrier(&b, 1), publish_barriers();
  expect(&b, 1024);
  const uint32_t t = now();
  load(shared_at(data), shared_at(&b));
  wait(&b, 0);
  out[blockIdx.x] = now() - t;
}
extern "C" __global__ void bulk_few(const uint32_t* in, uint32_t* out) {
  loaded(out, [&](uint32_t to, uint32_t b) { bulk_load(to, in, 1024, b); });
}
extern "C" __global__ void bulk_many(const __grid_constant__ Maps maps, const uint32_t* in, uint32_t* out) {
  loaded(out, [&](uint32_t to, uint32_t b) { bulk_load(to, in, 1024, b); });
}
extern "C" __global__ void box_many(const __grid_constant__ Maps maps, const uint32_t* in, uint32_t* out) {
  loaded(out, [&](uint32_t to, uint32_t b) { load_tensor(to, &maps.all[0], b, 0, 0); });
}
extern "C" __global__ void box_in_memory(const uint32_t* in, uint32_t* out) {
  loaded(out, [&](uint32_t to, uint32_t b) {
    load_tensor(to, reinterpret_cast<const TensorMap*>(in + 32768), b, 0, 0);
  });
}
