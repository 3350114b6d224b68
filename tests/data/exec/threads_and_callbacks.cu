// Heterogeneous workloads: host threads start work in their streams, stream callbacks start the
// host's part.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>
struct Work {
  int id;
  int n;
  int* host;
  int* dev;
  cudaStream_t stream;
  bool ok;
};
std::mutex m;
std::condition_variable cv;
int waiting = 0;
__global__ void incKernel(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i]++;
}
void post(void* p) {
  Work* w = (Work*)p;
  w->ok = true;
  for (int i = 0; i < w->n; ++i) w->ok &= w->host[i] == w->id + i + 1;
  std::lock_guard<std::mutex> g(m);
  --waiting;
  cv.notify_all();
}
void CUDART_CB myCallback(cudaStream_t, cudaError_t status, void* p) {
  if (status != cudaSuccess) printf("bad status\n");
  std::thread(post, p).detach();
}
void launch(Work* w) {
  cudaSetDevice(0);
  cudaStreamCreate(&w->stream);
  cudaMalloc(&w->dev, w->n * sizeof(int));
  cudaHostAlloc(&w->host, w->n * sizeof(int), cudaHostAllocPortable);
  for (int i = 0; i < w->n; ++i) w->host[i] = w->id + i;
  cudaMemcpyAsync(w->dev, w->host, w->n * 4, cudaMemcpyHostToDevice, w->stream);
  incKernel<<<(w->n + 127) / 128, 128, 0, w->stream>>>(w->dev, w->n);
  cudaMemcpyAsync(w->host, w->dev, w->n * 4, cudaMemcpyDeviceToHost, w->stream);
  cudaStreamAddCallback(w->stream, myCallback, w, 0);
}
__device__ int counter;
__global__ void bump(int by) { atomicAdd(&counter, by); }
int main() {
  const int n = 8;
  Work works[n];
  std::vector<std::thread> ts;
  waiting = n;
  for (int i = 0; i < n; ++i) {
    works[i] = Work();
    works[i].id = i;
    works[i].n = 1000 + 13 * i;
    ts.emplace_back(launch, &works[i]);
  }
  for (auto& t : ts) t.join();
  {
    std::unique_lock<std::mutex> l(m);
    cv.wait(l, [] { return waiting == 0; });
  }
  for (int i = 0; i < n; ++i) printf("workload %d: %s\n", i, works[i].ok ? "PASSED" : "FAILED");
  for (auto& w : works) {
    cudaStreamDestroy(w.stream);
    cudaFree(w.dev);
    cudaFreeHost(w.host);
  }
  // each thread its own default stream, errors are of a thread
  ts.clear();
  std::atomic<int> errors(0);
  for (int i = 0; i < 4; ++i)
    ts.emplace_back([&, i] {
      bump<<<1, 64, 0, cudaStreamPerThread>>>(i + 1);
      cudaStreamSynchronize(cudaStreamPerThread);
      if (i == 2) cudaMalloc(nullptr, 5);
      errors += cudaGetLastError() != cudaSuccess;
    });
  for (auto& t : ts) t.join();
  int v;
  cudaMemcpyFromSymbol(&v, counter, 4);
  printf("counter %d, threads with errors %d, here %s\n", v, errors.load(),
         cudaGetErrorName(cudaGetLastError()));
  // the host function sees what was copied before it
  struct S {
    int seen;
    int* p;
  } s{0, nullptr};
  cudaMallocHost(&s.p, 4);
  *s.p = 0;
  cudaStream_t st;
  cudaStreamCreateWithFlags(&st, cudaStreamNonBlocking);
  void* addr;
  cudaGetSymbolAddress(&addr, counter);
  cudaMemcpyAsync(s.p, addr, 4, cudaMemcpyDeviceToHost, st);
  cudaLaunchHostFunc(
      st,
      [](void* p) {
        S* s = (S*)p;
        s->seen = *s->p;
      },
      &s);
  cudaStreamSynchronize(st);
  printf("seen %d\n", s.seen);
}
