// A graph made node by node: memcpy, memset, kernel, host and child nodes; parameters read, changed
// and updated.
#include <cstdio>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__global__ void add(int* a, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += v;
}
__global__ void twice(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= 2;
}
static void CUDART_CB say(void* p) { printf("host %d\n", ((int*)p)[3]); }
int main() {
  int n = 256, v = 5, host[256], *a;
  for (int i = 0; i < n; ++i) host[i] = i;
  OK(cudaMalloc(&a, n * 4));
  cudaGraph_t g, child;
  OK(cudaGraphCreate(&g, 0));
  OK(cudaGraphCreate(&child, 0));
  cudaMemcpy3DParms c = {};
  c.srcPtr = make_cudaPitchedPtr(host, n * 4, n, 1);
  c.dstPtr = make_cudaPitchedPtr(a, n * 4, n, 1);
  c.extent = make_cudaExtent(n * 4, 1, 1);
  c.kind = cudaMemcpyHostToDevice;
  cudaGraphNode_t up, k, down, h, e, ch, ck, cm;
  OK(cudaGraphAddMemcpyNode(&up, g, nullptr, 0, &c));
  void* args[] = {&a, &n, &v};
  cudaKernelNodeParams p = {};
  p.func = (void*)add;
  p.gridDim = dim3(2);
  p.blockDim = dim3(128);
  p.kernelParams = args;
  OK(cudaGraphAddKernelNode(&k, g, &up, 1, &p));
  void* args2[] = {&a, &n};
  cudaKernelNodeParams q = p;
  q.func = (void*)twice;
  q.kernelParams = args2;
  OK(cudaGraphAddKernelNode(&ck, child, nullptr, 0, &q));
  cudaMemsetParams m = {};
  m.dst = a;
  m.elementSize = 4;
  m.width = 2;
  m.height = 1;
  m.value = 77;
  OK(cudaGraphAddMemsetNode(&cm, child, &ck, 1, &m));
  OK(cudaGraphAddChildGraphNode(&ch, g, &k, 1, child));
  OK(cudaGraphAddEmptyNode(&e, g, &ch, 1));
  OK(cudaGraphAddMemcpyNode1D(&down, g, &e, 1, host, a, n * 4, cudaMemcpyDeviceToHost));
  cudaHostNodeParams hp = {say, host};
  OK(cudaGraphAddHostNode(&h, g, &down, 1, &hp));
  size_t nodes = 0, edges = 0, roots = 0;
  OK(cudaGraphGetNodes(g, nullptr, &nodes));
  OK(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges));
  OK(cudaGraphGetRootNodes(g, nullptr, &roots));
  printf("nodes %zu edges %zu roots %zu\n", nodes, edges, roots);
  cudaGraphNodeType t;
  for (cudaGraphNode_t x : {up, k, ch, e, h}) {
    OK(cudaGraphNodeGetType(x, &t));
    printf("type %d\n", (int)t);
  }
  cudaKernelNodeParams r;
  OK(cudaGraphKernelNodeGetParams(k, &r));
  printf("grid %d block %d v %d\n", r.gridDim.x, r.blockDim.x, *(int*)r.kernelParams[2]);
  cudaStream_t s;
  OK(cudaStreamCreate(&s));
  cudaGraphExec_t x;
  OK(cudaGraphInstantiate(&x, g, 0));
  OK(cudaGraphLaunch(x, s));
  OK(cudaStreamSynchronize(s));
  printf("%d %d %d\n", host[0], host[2], host[255]);
  int w = 100;
  void* args3[] = {&a, &n, &w};
  p.kernelParams = args3;
  OK(cudaGraphExecKernelNodeSetParams(x, k, &p));
  OK(cudaGraphLaunch(x, s));
  OK(cudaStreamSynchronize(s));
  printf("%d %d %d\n", host[0], host[2], host[255]);
  OK(cudaGraphKernelNodeSetParams(k, &p));
  cudaGraph_t copy;
  OK(cudaGraphClone(&copy, g));
  cudaGraphExecUpdateResultInfo info;
  OK(cudaGraphExecUpdate(x, copy, &info));
  printf("update %d\n", (int)info.result);
  cudaGraphExec_t y;
  OK(cudaGraphInstantiateWithFlags(&y, copy, 0));
  OK(cudaGraphUpload(y, s));
  OK(cudaGraphLaunch(y, s));
  OK(cudaStreamSynchronize(s));
  printf("%d %d %d\n", host[0], host[2], host[255]);
  OK(cudaGraphExecDestroy(x));
  OK(cudaGraphExecDestroy(y));
  OK(cudaGraphDestroy(g));
  OK(cudaGraphDestroy(copy));
}
