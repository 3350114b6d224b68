// Graphs: memory nodes, event nodes, symbols, cudaGraphAddNode, capture to a graph, nodes switched
// off, conditional on errors, user objects, edges asked.
#include <cstdio>
#include <vector>
#define OK(x)                                                                       \
  do {                                                                              \
    cudaError_t e_ = (x);                                                           \
    if (e_ != cudaSuccess) printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)); \
  } while (0)
__constant__ int factor;
__device__ int symbol[4];
__global__ void scale(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = p[i] * factor + i;
}
__global__ void add(int* p, int v, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] += v;
}
__global__ void sum(const int* p, int* out, int n) {
  int s = 0;
  for (int i = threadIdx.x; i < n; i += 32) s += p[i];
  for (int o = 16; o; o /= 2) s += __shfl_xor_sync(~0u, s, o);
  if (threadIdx.x == 0) *out = s;
}
static void CUDART_CB released(void* p) { ++*(int*)p; }
int main() {
  int n = 1000;
  int* out;
  OK(cudaMallocHost(&out, 64));
  *out = 0;
  cudaGraph_t g;
  OK(cudaGraphCreate(&g, 0));
  // an allocation node, a fill, a kernel, a copy, a free
  cudaMemAllocNodeParams ap = {};
  ap.poolProps.allocType = cudaMemAllocationTypePinned;
  ap.poolProps.location.type = cudaMemLocationTypeDevice;
  ap.bytesize = n * 4;
  cudaGraphNode_t alloc, fill, k1, k2, cp, fr;
  OK(cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &ap));
  printf("pointer %d\n", ap.dptr != nullptr);
  cudaMemsetParams mp = {};
  mp.dst = ap.dptr;
  mp.value = 3;
  mp.elementSize = 4;
  mp.width = n;
  mp.height = 1;
  OK(cudaGraphAddMemsetNode(&fill, g, &alloc, 1, &mp));
  int five = 5;
  cudaGraphNode_t sym;
  OK(cudaGraphAddMemcpyNodeToSymbol(&sym, g, nullptr, 0, factor, &five, 4, 0,
                                    cudaMemcpyHostToDevice));
  int* p = (int*)ap.dptr;
  void* a1[] = {&p, &n};
  cudaKernelNodeParams kp = {};
  kp.func = (void*)scale;
  kp.gridDim = dim3(8);
  kp.blockDim = dim3(128);
  kp.kernelParams = a1;
  cudaGraphNode_t deps[2] = {fill, sym};
  OK(cudaGraphAddKernelNode(&k1, g, deps, 2, &kp));
  int* ps;
  OK(cudaGetSymbolAddress((void**)&ps, symbol));
  void* a2[] = {&p, &ps, &n};
  cudaGraphNodeParams np = {};
  np.type = cudaGraphNodeTypeKernel;
  np.kernel.func = (void*)sum;
  np.kernel.gridDim = dim3(1);
  np.kernel.blockDim = dim3(32);
  np.kernel.kernelParams = a2;
#if CUDART_VERSION >= 13000
  OK(cudaGraphAddNode(&k2, g, &k1, nullptr, 1, &np));
#else
  OK(cudaGraphAddNode(&k2, g, &k1, 1, &np));
#endif
  OK(cudaGraphAddMemcpyNodeFromSymbol(&cp, g, &k2, 1, out, symbol, 4, 0, cudaMemcpyDeviceToHost));
  OK(cudaGraphAddMemFreeNode(&fr, g, &k2, 1, ap.dptr));
  cudaEvent_t ev;
  OK(cudaEventCreate(&ev));
  cudaGraphNode_t er, ew;
  OK(cudaGraphAddEventRecordNode(&er, g, &cp, 1, ev));
  OK(cudaGraphAddEventWaitNode(&ew, g, &er, 1, ev));
  size_t nn = 0, ne = 0;
  OK(cudaGraphGetNodes(g, nullptr, &nn));
#if CUDART_VERSION >= 13000
  OK(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &ne));
#else
  OK(cudaGraphGetEdges(g, nullptr, nullptr, &ne));
#endif
  printf("nodes %zu edges %zu\n", nn, ne);
  cudaGraphNodeType ty;
  for (auto node : {alloc, fill, sym, k1, k2, cp, fr, er, ew}) {
    OK(cudaGraphNodeGetType(node, &ty));
    printf("%d ", ty);
  }
  printf("\n");
  cudaGraphExec_t x;
  OK(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  cudaStream_t s;
  OK(cudaStreamCreate(&s));
  for (int i = 0; i < 3; ++i) {
    OK(cudaGraphLaunch(x, s));
    OK(cudaStreamSynchronize(s));
    printf("sum %d %s\n", *out, cudaGetErrorName(cudaEventQuery(ev)));
  }
  cudaMemAllocNodeParams back = {};
  OK(cudaGraphMemAllocNodeGetParams(alloc, &back));
  printf("%d %zu\n", back.dptr == ap.dptr, back.bytesize);
  void* fp = nullptr;
  OK(cudaGraphMemFreeNodeGetParams(fr, &fp));
  printf("%d\n", fp == ap.dptr);
  cudaEvent_t ge;
  OK(cudaGraphEventRecordNodeGetEvent(er, &ge));
  printf("%d\n", ge == ev);
  size_t used = 1;
  OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  printf("used %zu\n", used);
  OK(cudaDeviceGraphMemTrim(0));
  OK(cudaGraphExecDestroy(x));
  // nodes switched off and on
  int* q;
  OK(cudaMalloc(&q, n * 4));
  OK(cudaMemset(q, 0, n * 4));
  cudaGraph_t g2;
  OK(cudaGraphCreate(&g2, 0));
  cudaGraphNode_t n1, n2, n3;
  int v1 = 1, v2 = 10;
  void* b1[] = {&q, &v1, &n};
  void* b2[] = {&q, &v2, &n};
  void* b3[] = {&q, &ps, &n};
  kp.func = (void*)add;
  kp.gridDim = 1;
  kp.kernelParams = b1;
  OK(cudaGraphAddKernelNode(&n1, g2, nullptr, 0, &kp));
  kp.kernelParams = b2;
  OK(cudaGraphAddKernelNode(&n2, g2, &n1, 1, &kp));
  kp.func = (void*)sum;
  kp.blockDim = 32;
  kp.kernelParams = b3;
  OK(cudaGraphAddKernelNode(&n3, g2, &n2, 1, &kp));
  OK(cudaGraphInstantiate(&x, g2, 0));
  OK(cudaGraphLaunch(x, s));
  OK(cudaMemcpyFromSymbolAsync(out, symbol, 4, 0, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  printf("both %d\n", *out);
  OK(cudaGraphNodeSetEnabled(x, n2, 0));
  unsigned on = 7;
  OK(cudaGraphNodeGetEnabled(x, n2, &on));
  printf("enabled %u\n", on);
  OK(cudaGraphLaunch(x, s));
  OK(cudaMemcpyFromSymbolAsync(out, symbol, 4, 0, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  printf("one %d\n", *out);
  OK(cudaGraphNodeSetEnabled(x, n2, 1));
  OK(cudaGraphLaunch(x, s));
  OK(cudaMemcpyFromSymbolAsync(out, symbol, 4, 0, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  printf("both %d\n", *out);
  OK(cudaGraphExecDestroy(x));
  {
    cudaGraph_t g5;
    OK(cudaGraphClone(&g5, g2));
    cudaGraphNode_t found;
    OK(cudaGraphNodeFindInClone(&found, n3, g5));
    OK(cudaGraphNodeGetType(found, &ty));
    printf("clone %d\n", ty);
    OK(cudaGraphDestroy(g5));
  }
  OK(cudaGraphDestroyNode(n2));
  OK(cudaGraphGetNodes(g2, nullptr, &nn));
  printf("left %zu\n", nn);
  size_t nr = 0;
  OK(cudaGraphGetRootNodes(g2, nullptr, &nr));
  printf("roots %zu\n", nr);
  // a user object lives as long as the graph
  int gone = 0;
  cudaUserObject_t uo;
  OK(cudaUserObjectCreate(&uo, &gone, released, 1, cudaUserObjectNoDestructorSync));
  OK(cudaGraphRetainUserObject(g2, uo, 1, cudaGraphUserObjectMove));
  OK(cudaGraphDestroy(g2));
  OK(cudaDeviceSynchronize());
  // capture into a graph that exists, allocations in stream order captured
  cudaGraph_t g3;
  OK(cudaGraphCreate(&g3, 0));
  OK(cudaStreamBeginCaptureToGraph(s, g3, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  int* t;
  OK(cudaMallocAsync(&t, n * 4, s));
  OK(cudaMemsetAsync(t, 0, n * 4, s));
  add<<<1, 64, 0, s>>>(t, 7, n);
  sum<<<1, 32, 0, s>>>(t, ps, n);
  OK(cudaMemcpyAsync(out, ps, 4, cudaMemcpyDeviceToHost, s));
  OK(cudaFreeAsync(t, s));
  cudaStreamCaptureStatus cs;
  OK(cudaStreamIsCapturing(s, &cs));
  printf("capturing %d\n", cs);
  OK(cudaStreamEndCapture(s, &g3));
  OK(cudaGraphGetNodes(g3, nullptr, &nn));
  printf("captured %zu\n", nn);
  OK(cudaGraphInstantiate(&x, g3, 0));
  *out = 0;
  OK(cudaGraphLaunch(x, s));
  OK(cudaStreamSynchronize(s));
  printf("captured sum %d\n", *out);
  unsigned long long fl = 9;
  OK(cudaGraphExecGetFlags(x, &fl));
  printf("flags %llu\n", fl);
  std::vector<cudaGraphNode_t> nodes(nn);
  OK(cudaGraphGetNodes(g3, nodes.data(), &nn));
  size_t nd = 0;
#if CUDART_VERSION >= 13000
  OK(cudaGraphNodeGetDependentNodes(nodes[0], nullptr, nullptr, &nd));
#else
  OK(cudaGraphNodeGetDependentNodes(nodes[0], nullptr, &nd));
#endif
  printf("dependent %zu\n", nd);
  OK(cudaGraphDebugDotPrint(g3, "/dev/null", 0));
  cudaGraph_t g4;
  printf("clone with memory: %s\n", cudaGetErrorName(cudaGraphClone(&g4, g3)));
  cudaGetLastError();
  OK(cudaGraphExecDestroy(x));
  cudaGraphInstantiateParams ip = {};
  ip.uploadStream = s;
  ip.flags = cudaGraphInstantiateFlagUpload;
  OK(cudaGraphInstantiateWithParams(&x, g3, &ip));
  printf("result %d\n", ip.result_out);
  *out = 0;
  OK(cudaGraphLaunch(x, s));
  OK(cudaStreamSynchronize(s));
  printf("again %d\n", *out);
}
