// The bytes of dynamic shared memory that the launch gives.
extern __shared__ int words[];

extern "C" __global__ void size(int* out) {
  unsigned bytes;
  asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  words[threadIdx.x] = static_cast<int>(bytes);
  out[threadIdx.x] = words[threadIdx.x];
}
