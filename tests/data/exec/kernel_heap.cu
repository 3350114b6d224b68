// new, delete, malloc and free in kernels.
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
struct Node {
  int v;
  Node* next;
};
__global__ void list(int* out) {
  Node* head = nullptr;
  for (int i = 0; i < 5; ++i) {
    Node* n = new Node;
    n->v = i * threadIdx.x;
    n->next = head;
    head = n;
  }
  int s = 0;
  while (head) {
    Node* n = head->next;
    s = s * 3 + head->v;
    delete head;
    head = n;
  }
  out[threadIdx.x] = s;
}
__global__ void shared_block(int* out) {
  __shared__ int* p;
  if (threadIdx.x == 0) p = (int*)malloc(blockDim.x * 4);
  __syncthreads();
  if (!p) return;
  p[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  out[threadIdx.x] = p[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(p);
}
__global__ void big(int* out) {
  void* p = malloc((size_t)1 << 40);
  out[0] = p == nullptr;
  free(p);
}
int main() {
  int* o;
  OK(cudaMallocManaged(&o, 1024));
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  size_t v;
  OK(cudaDeviceGetLimit(&v, cudaLimitMallocHeapSize));
  printf("%zu\n", v);
  list<<<1, 64>>>(o);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", o[1], o[63]);
  shared_block<<<2, 64>>>(o);
  OK(cudaDeviceSynchronize());
  printf("%d %d\n", o[0], o[5]);
  big<<<1, 1>>>(o);
  OK(cudaDeviceSynchronize());
  printf("%d\n", o[0]);
}
