// libcu++ in kernels: span, optional, tuple, variant, mdspan, bit operations, ranges of chars;
// managed structures; grid constants; cuda::proclaim_return_type; std-like algorithms.
#include <cstdio>
#include <cstring>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

#include <cuda/functional>
#include <cuda/std/expected>
namespace cs = cuda::std;
struct Node {
  int value;
  Node* next;
};
__managed__ Node nodes[16];
__managed__ int total;
struct Config {
  float scale[8];
  int n;
  const int* data;
};
template <class P>
__device__ void count_if(int* count, const char* data, int n, P p) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (p(data[i])) atomicAdd(count, 1);
}
__global__ void xyzw_frequency(int* count, const char* text, int n) {
  const char letters[]{'x', 'y', 'z', 'w'};
  count_if(count, text, n, [&](char c) {
    for (const auto x : letters)
      if (c == x) return true;
    return false;
  });
}
__global__ void list_sum(Node* head) {
  int s = 0;
  for (Node* p = head; p; p = p->next) s += p->value;
  total = s;
}
__global__ void constants(const __grid_constant__ Config c, float* out) {
  const Config* p = &c;
  out[threadIdx.x] = p->scale[threadIdx.x % 8] * (threadIdx.x < c.n ? c.data[threadIdx.x] : -1);
}
__device__ cs::optional<int> halved(int x) {
  if (x & 1) return cs::nullopt;
  return x / 2;
}
__device__ cs::expected<int, float> check(int x) {
  if (x > 20) return cs::unexpected(x * 0.5f);
  return x;
}
__global__ void types(int* out) {
  int t = threadIdx.x;
  auto tup = cs::make_tuple(t, t * 0.5f, 'a');
  cs::variant<int, float> v;
  if (t % 2)
    v = t;
  else
    v = t * 1.5f;
  int r = cs::get<0>(tup) + (int)(cs::get<1>(tup) * 4) + cs::get<2>(tup);
  r += cs::visit([](auto x) { return (int)(x * 10); }, v);
  r += halved(t).value_or(1000);
  auto e = check(t);
  r += e ? *e : (int)(e.error() * 100);
  r += cs::popcount((unsigned)t * 2654435761u) + cs::countl_zero((unsigned)t + 1) * 7 +
       cs::rotl((unsigned)t, 3) + cs::bit_ceil((unsigned)t + 1) +
       cs::bit_cast<int>(1.0f + t) % 1000;
  int a[8];
  for (int i = 0; i < 8; ++i) a[i] = (t * 7 + i * 5) % 13;
  cs::span<int> s(a);
  r += cs::accumulate(s.begin(), s.end(), 0) * 3;
  cs::swap(a[2], a[5]);
  r += a[2] * 100;
  cs::mdspan<int, cs::extents<int, 2, 4>> m(a);
  r += m(1, 2) * 9 + m.extent(1);
  r += cs::numeric_limits<short>::max();
  r += cs::gcd(t + 12, 18);
  out[t] = r;
}
int main() {
  const char* text = "the quick brown fox jumps over the lazy dog while wxyz and yyy walk by";
  int n = strlen(text), c = 0;
  char* d;
  int* dc;
  cudaMalloc(&d, n);
  cudaMalloc(&dc, 4);
  cudaMemcpy(d, text, n, cudaMemcpyHostToDevice);
  cudaMemset(dc, 0, 4);
  xyzw_frequency<<<4, 32>>>(dc, d, n);
  cudaMemcpy(&c, dc, 4, cudaMemcpyDeviceToHost);
  printf("counted %d letters\n", c);
  for (int i = 0; i < 16; ++i) nodes[i] = {i * i, i < 15 ? &nodes[i + 1] : nullptr};
  list_sum<<<1, 1>>>(nodes);
  cudaDeviceSynchronize();
  printf("list %d\n", total);
  Config cfg;
  for (int i = 0; i < 8; ++i) cfg.scale[i] = i * 0.5f;
  cfg.n = 20;
  int* data;
  cudaMallocManaged(&data, 80);
  for (int i = 0; i < 20; ++i) data[i] = 100 - i;
  cfg.data = data;
  float* o;
  cudaMallocManaged(&o, 128);
  constants<<<1, 32>>>(cfg, o);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", o[1], o[19], o[31]);
  int* r;
  cudaMallocManaged(&r, 256);
  types<<<1, 64>>>(r);
  printf("%s", cudaGetErrorName(cudaDeviceSynchronize()));
  unsigned h = 0;
  for (int i = 0; i < 64; ++i) h = h * 31 + r[i];
  printf(" %d %d %08x\n", r[0], r[63], h);
}
// nvcc: --expt-relaxed-constexpr --extended-lambda
