// A graph captured from two streams, one made node by node, an update; each launched several times.
#include <cstdio>

__global__ void add(int* data, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += value;
}
__global__ void twice(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}
static void CUDART_CB count(void* p) { ++*(int*)p; }

int main() {
  const int n = 512;
  int *a, *b, host[n], calls = 0, wrong = 0;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaStream_t one, two;
  cudaEvent_t fork, join;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  cudaMemset(a, 0, sizeof host);
  cudaMemset(b, 0, sizeof host);

  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  add<<<2, 256, 0, one>>>(a, n, 1);
  cudaEventRecord(fork, one);
  cudaStreamWaitEvent(two, fork, 0);
  add<<<2, 256, 0, two>>>(b, n, 5);
  cudaEventRecord(join, two);
  twice<<<2, 256, 0, one>>>(a, n);
  cudaStreamWaitEvent(one, join, 0);
  cudaLaunchHostFunc(one, count, &calls);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamEndCapture(one, &graph);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  printf("before a launch: %d %d\n", host[0], calls);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, one);
  cudaStreamSynchronize(one);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += host[i] != 14;
  cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) wrong += host[i] != 15;
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  printf("captured: %d wrong, %d calls\n", wrong, calls);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);

  cudaGraph_t made;
  cudaGraphNode_t clear, kernel, copy;
  cudaGraphCreate(&made, 0);
  cudaMemsetParams memset = {};
  memset.dst = a;
  memset.value = 3;
  memset.elementSize = 4;
  memset.width = n;
  memset.height = 1;
  cudaGraphAddMemsetNode(&clear, made, nullptr, 0, &memset);
  int count_of = n, value = 4;
  void* args[] = {&a, &count_of, &value};
  cudaKernelNodeParams params = {};
  params.func = (void*)add;
  params.gridDim = dim3(2);
  params.blockDim = dim3(256);
  params.kernelParams = args;
  cudaGraphAddKernelNode(&kernel, made, &clear, 1, &params);
  cudaGraphAddMemcpyNode1D(&copy, made, &kernel, 1, host, a, sizeof host, cudaMemcpyDeviceToHost);
  cudaGraphInstantiate(&exec, made, 0);
  cudaGraphLaunch(exec, two);
  cudaStreamSynchronize(two);
  for (int i = 0; i < n; ++i) wrong += host[i] != 7;
  value = 10;
  cudaGraphExecKernelNodeSetParams(exec, kernel, &params);
  cudaGraphLaunch(exec, two);
  cudaStreamSynchronize(two);
  for (int i = 0; i < n; ++i) wrong += host[i] != 13;
  printf("made: %d wrong, last error %s: %s\n", wrong, cudaGetErrorName(cudaGetLastError()),
         wrong == 0 ? "PASSED" : "FAILED");
  return 0;
}
