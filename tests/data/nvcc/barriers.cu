// Barriers of a block by an immediate number, and by one in a register.
extern "C" __global__ void by_register(int* out, int i) {
  asm volatile("bar.sync %0, 64;" ::"r"(i));
  out[threadIdx.x] = i;
}
extern "C" __global__ void third(int* out, int i) {
  __barrier_sync(2);
  out[threadIdx.x] = i;
}
