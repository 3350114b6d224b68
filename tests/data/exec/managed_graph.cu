// Managed memory with hints and linked structures, a graph with branches, replayed and updated;
// pools; 3D copies.
#include <cstdio>
#include <cstring>
struct Node {
  int value;
  Node* next;
};
__managed__ int total;
__managed__ Node* first;
__global__ void walk() {
  int t = 0;
  for (Node* n = first; n; n = n->next) {
    n->value *= 2;
    t += n->value;
  }
  total = t;
}
__global__ void add_one(int* x, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) x[i] += 1;
}
__global__ void double_it(int* x, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) x[i] *= 2;
}
int main() {
  for (int i = 0; i < 10; ++i) {
    Node* n;
    cudaMallocManaged(&n, sizeof(Node));
    n->value = i;
    n->next = first;
    first = n;
  }
  walk<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("total %d, first %d\n", total, first->value);
  const int n = 1000;
  int *a, *b, *m;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMallocManaged(&m, n * 4);
  cudaMemLocation here{cudaMemLocationTypeDevice, 0};
  printf("%s\n", cudaGetErrorName(cudaMemAdvise(m, n * 4, cudaMemAdviseSetReadMostly, here)));
  printf("%s\n", cudaGetErrorName(cudaMemPrefetchAsync(m, n * 4, here, 0, 0)));
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t g;
  cudaGraphExec_t x;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(a, 0, n * 4, s);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  cudaMemsetAsync(b, 0, n * 4, t);
  add_one<<<8, 128, 0, t>>>(b, n);
  double_it<<<8, 128, 0, t>>>(b, n);
  cudaEventRecord(join, t);
  add_one<<<8, 128, 0, s>>>(a, n);
  cudaStreamWaitEvent(s, join, 0);
  cudaMemcpyAsync(m, b, n * 4, cudaMemcpyDefault, s);
  cudaStreamEndCapture(s, &g);
  size_t nodes;
  cudaGraphGetNodes(g, nullptr, &nodes);
  printf("nodes %zu\n", nodes);
  cudaGraphInstantiate(&x, g, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(x, s);
  cudaStreamSynchronize(s);
  printf("m %d %d\n", m[0], m[n - 1]);
  int* p;
  cudaMallocAsync(&p, n * 4, s);
  cudaMemcpyAsync(p, a, n * 4, cudaMemcpyDeviceToDevice, s);
  add_one<<<8, 128, 0, s>>>(p, n);
  cudaMemcpyAsync(m, p, n * 4, cudaMemcpyDeviceToHost, s);
  cudaFreeAsync(p, s);
  cudaStreamSynchronize(s);
  printf("m %d\n", m[5]);
  cudaExtent e = make_cudaExtent(20, 5, 3);
  cudaPitchedPtr v;
  cudaMalloc3D(&v, e);
  cudaMemset3D(v, 7, e);
  char h[300];
  memset(h, 0, 300);
  cudaMemcpy3DParms c{};
  c.srcPtr = v;
  c.dstPtr = make_cudaPitchedPtr(h, 20, 20, 5);
  c.extent = e;
  c.kind = cudaMemcpyDeviceToHost;
  printf("%s ", cudaGetErrorName(cudaMemcpy3D(&c)));
  int seven = 0;
  for (char k : h) seven += k == 7;
  printf("%d\n", seven);
  cudaPointerAttributes at;
  cudaPointerGetAttributes(&at, m);
  printf("%d %d\n", at.type == cudaMemoryTypeManaged, at.devicePointer == m);
  cudaPointerGetAttributes(&at, h);
  printf("%d %s\n", at.type == cudaMemoryTypeUnregistered, cudaGetErrorName(cudaGetLastError()));
}
