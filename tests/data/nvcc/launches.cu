// A kernel that launches another.
__global__ void child(int* p) { p[threadIdx.x] = threadIdx.x; }
__global__ void parent(int* p) {
  if (threadIdx.x == 0) child<<<1, 32>>>(p);
}
