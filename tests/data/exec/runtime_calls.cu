// Less usual calls: kernel handles, ranges of managed memory, launches by cudaLaunchKernelExC,
// capture info and dependencies, events with flags, copies by default, host memory of several
// kinds, parameters of 4 KB.
#include <cstdio>
#include <cstring>
#define E(x)                                     \
  do {                                           \
    cudaError_t e = (x);                         \
    printf("%s: %s\n", #x, cudaGetErrorName(e)); \
    cudaGetLastError();                          \
  } while (0)
__global__ void scale(float* p, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= f;
}
struct Large {
  int v[900];
};
__global__ void large(Large l, int* out) { out[threadIdx.x] = l.v[threadIdx.x * 7]; }
__device__ float table[64];
__constant__ double coeff[4];
__global__ void use(float* o) {
  o[threadIdx.x] = table[threadIdx.x] + (float)coeff[threadIdx.x & 3];
}
static void CUDART_CB count(void* p) { ++*(int*)p; }
int main() {
  float* m;
  cudaMallocManaged(&m, 4096);
  for (int i = 0; i < 1024; ++i) m[i] = i;
  cudaKernel_t k;
  E(cudaGetKernel(&k, (const void*)scale));
  float f = 2;
  int n = 1024;
  void* args[] = {&m, &f, &n};
  E(cudaLaunchKernel((const void*)k, dim3(4), dim3(256), args, 0, 0));
  E(cudaDeviceSynchronize());
  printf("%g\n", m[1023]);
  cudaFunction_t fn;
  E(cudaGetFuncBySymbol(&fn, (const void*)scale));
  cudaFuncAttributes fa;
  E(cudaFuncGetAttributes(&fa, (const void*)k));
  printf("%d\n", fa.maxThreadsPerBlock);
  cudaLaunchConfig_t c = {};
  c.gridDim = 4;
  c.blockDim = 256;
  E(cudaLaunchKernelExC(&c, (const void*)scale, args));
  E(cudaDeviceSynchronize());
  printf("%g\n", m[1]);
  cudaLaunchAttribute a[1];
  a[0].id = cudaLaunchAttributeCooperative;
  a[0].val.cooperative = 1;
  c.attrs = a;
  c.numAttrs = 1;
  E(cudaLaunchKernelEx(&c, scale, m, 0.5f, 1024));
  E(cudaStreamSynchronize(0));
  printf("%g\n", m[1]);
  Large l;
  for (int i = 0; i < 900; ++i) l.v[i] = i * 3;
  int* o;
  cudaMallocManaged(&o, 512);
  large<<<1, 128>>>(l, o);
  E(cudaDeviceSynchronize());
  printf("%d\n", o[127]);
  int v = -1;
  E(cudaMemAdvise(m, 4096, cudaMemAdviseSetReadMostly,
                  cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  E(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeReadMostly, m, 4096));
  printf("%d\n", v);
  E(cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation,
                  cudaMemLocation{cudaMemLocationTypeHost, 0}));
  E(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributePreferredLocation, m, 4096));
  printf("%d\n", v);
  E(cudaMemPrefetchAsync(m, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0, 0));
  E(cudaDeviceSynchronize());
  E(cudaMemRangeGetAttribute(&v, 4, cudaMemRangeAttributeLastPrefetchLocation, m, 4096));
  printf("%d\n", v);
  cudaStream_t s;
  E(cudaStreamCreate(&s));
  int calls = 0;
  cudaGraph_t g;
  E(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  scale<<<4, 256, 0, s>>>(m, 2.0f, 1024);
  E(cudaLaunchHostFunc(s, count, &calls));
  cudaStreamCaptureStatus st;
  unsigned long long id = 0;
  cudaGraph_t cap;
  const cudaGraphNode_t* deps;
  size_t nd = 0;
  E(cudaStreamGetCaptureInfo(s, &st, &id, &cap, &deps, nullptr, &nd));
  printf("status %d id %d deps %zu\n", st, id != 0, nd);
  cudaGraphNode_t extra;
  int val = 5;
  int* dv;
  (void)dv;
  cudaMemsetParams mp = {};
  mp.dst = o;
  mp.value = val;
  mp.elementSize = 4;
  mp.width = 8;
  mp.height = 1;
  E(cudaGraphAddMemsetNode(&extra, cap, deps, nd, &mp));
  E(cudaStreamUpdateCaptureDependencies(s, &extra, nullptr, 1, cudaStreamSetCaptureDependencies));
  scale<<<1, 256, 0, s>>>(m, 3.0f, 256);
  E(cudaStreamEndCapture(s, &g));
  size_t nn = 0;
  E(cudaGraphGetNodes(g, nullptr, &nn));
  printf("nodes %zu\n", nn);
  cudaGraphExec_t x;
  E(cudaGraphInstantiate(&x, g));
  E(cudaGraphLaunch(x, s));
  E(cudaGraphLaunch(x, s));
  E(cudaStreamSynchronize(s));
  printf("%g %d %d\n", m[1], calls, o[7]);
  // a graph launched into a stream that is captured, a child
  cudaGraph_t g2;
  E(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  E(cudaGraphLaunch(x, s));
  E(cudaStreamEndCapture(s, &g2));
  E(cudaGraphGetNodes(g2, nullptr, &nn));
  printf("nodes %zu\n", nn);
  cudaEvent_t ev, ev2;
  E(cudaEventCreateWithFlags(&ev, cudaEventDisableTiming | cudaEventBlockingSync));
  E(cudaEventCreate(&ev2));
  E(cudaEventRecordWithFlags(ev2, s, 0));
  E(cudaStreamWaitEvent(0, ev2, cudaEventWaitDefault));
  E(cudaEventSynchronize(ev2));
  E(cudaEventDestroy(ev));
  float h[64];
  for (int i = 0; i < 64; ++i) h[i] = i * 0.5f;
  E(cudaMemcpyToSymbol(table, h, sizeof h));
  double co[2] = {10, 20};
  E(cudaMemcpyToSymbol(coeff, co, 16, 16, cudaMemcpyHostToDevice));
  use<<<1, 64>>>(m);
  E(cudaDeviceSynchronize());
  printf("%g %g\n", m[62], m[61]);
  void* ta;
  E(cudaGetSymbolAddress(&ta, table));
  E(cudaMemset(ta, 0, 128));
  E(cudaMemcpyFromSymbol(h, table, 8, 124));
  printf("%g %g\n", h[0], h[1]);
  size_t sz;
  E(cudaGetSymbolSize(&sz, coeff));
  printf("%zu\n", sz);
  cudaPointerAttributes at;
  E(cudaPointerGetAttributes(&at, ta));
  printf("%d\n", at.type);
  E(cudaPointerGetAttributes(&at, m + 3));
  printf("%d %d\n", at.type, at.hostPointer == m + 3);
  void* hp;
  E(cudaHostAlloc(&hp, 100, cudaHostAllocPortable));
  E(cudaPointerGetAttributes(&at, hp));
  printf("%d\n", at.type);
  E(cudaFree(hp));
  E(cudaFreeHost(hp));
  E(cudaMemcpy(h, m, 8, cudaMemcpyDefault));
  E(cudaMemcpy(m, h, 8, cudaMemcpyDefault));
  E(cudaMemcpyPeer(m, 0, ta, 0, 16));
  E(cudaGraphExecDestroy(x));
  E(cudaGraphDestroy(g));
  E(cudaStreamDestroy(s));
  int cnt;
  E(cudaGetDeviceCount(&cnt));
  unsigned fl;
  E(cudaStreamGetFlags(0, &fl));
  printf("%u\n", fl);
  int pr;
  E(cudaStreamGetPriority(0, &pr));
  printf("%d\n", pr);
  cudaDriverGetVersion(&v);
  printf("%d\n", v >= 13000);
}
