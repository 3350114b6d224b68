// The default stream of each thread (--default-stream per-thread), several host threads with graphs
// and events of their own, thread-local errors, a pool of buffers in C++ style.
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
namespace {
void check(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorString(e));
}
template <class T>
class Buffer {
  T* p_ = nullptr;
  size_t n_;

 public:
  explicit Buffer(size_t n) : n_(n) { check(cudaMalloc(&p_, n * sizeof(T))); }
  ~Buffer() { cudaFree(p_); }
  Buffer(const Buffer&) = delete;
  T* get() const { return p_; }
  void upload(const std::vector<T>& v) {
    check(cudaMemcpy(p_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> v(n_);
    check(cudaMemcpy(v.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
};
struct StreamDeleter {
  void operator()(cudaStream_t s) const { cudaStreamDestroy(s); }
};
using Stream = std::unique_ptr<std::remove_pointer_t<cudaStream_t>, StreamDeleter>;
Stream make_stream() {
  cudaStream_t s;
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  return Stream(s);
}
}  // namespace
__global__ void kernel(float* x, int n, float a) {
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
    x[i] = sqrtf(x[i] * a + i);
}
template <typename T, int N>
__global__ void stencil(const T* in, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T s = 0;
  for (int k = -N; k <= N; ++k) {
    int j = min(max(i + k, 0), n - 1);
    s += in[j];
  }
  out[i] = s / (2 * N + 1);
}
static float work(int t) {
  const int n = 3000;
  Buffer<float> b(n), c(n);
  std::vector<float> v(n);
  for (int i = 0; i < n; ++i) v[i] = (i + t) % 100;
  b.upload(v);
  kernel<<<4, 128>>>(b.get(), n, 1.5f + t);
  stencil<float, 2><<<(n + 127) / 128, 128>>>(b.get(), c.get(), n);
  check(cudaStreamSynchronize(0));
  auto r = c.download();
  double s = 0;
  for (float x : r) s += x;
  return s;
}
int main() {
  std::vector<std::future<float>> f;
  for (int t = 0; t < 6; ++t) f.push_back(std::async(std::launch::async, work, t));
  for (auto& x : f) printf("%a\n", x.get());
  std::vector<std::thread> ts;
  std::mutex m;
  std::vector<std::string> errors(3);
  for (int t = 0; t < 3; ++t)
    ts.emplace_back([&, t] {
      try {
        if (t == 1) {
          float* p;
          check(cudaMalloc(&p, size_t(1) << 50));
        } else if (t == 2) {
          kernel<<<1, 2000>>>(nullptr, 0, 0);
          check(cudaGetLastError());
        }
        errors[t] = "none";
      } catch (const std::exception& e) {
        errors[t] = e.what();
      }
    });
  for (auto& t : ts) t.join();
  for (auto& e : errors) printf("error: %s\n", e.c_str());
  printf("here: %s\n", cudaGetErrorName(cudaGetLastError()));
  Stream s = make_stream();
  Buffer<float> b(1000);
  check(cudaMemsetAsync(b.get(), 0, 4000, s.get()));
  cudaGraph_t g;
  cudaGraphExec_t x;
  check(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal));
  kernel<<<2, 64, 0, s.get()>>>(b.get(), 1000, 1.0f);
  check(cudaStreamEndCapture(s.get(), &g));
  check(cudaGraphInstantiate(&x, g, 0));
  for (int i = 0; i < 5; ++i) check(cudaGraphLaunch(x, s.get()));
  check(cudaStreamSynchronize(s.get()));
  auto r = b.download();
  printf("%a %a\n", r[1], r[999]);
  try {
    Buffer<double> z(size_t(1) << 52);
  } catch (const std::runtime_error& e) {
    printf("caught %s\n", e.what());
  }
  cudaGetLastError();
}
// nvcc: --default-stream per-thread
