// CUB's device-wide algorithms: histogram, radix sort, run lengths, select and scan by key.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>

#define CHECK(call)                                   \
  do {                                                \
    cudaError_t e = (call);                           \
    if (e != cudaSuccess) {                           \
      printf("%s: %s\n", #call, cudaGetErrorName(e)); \
      return 1;                                       \
    }                                                 \
  } while (0)

template <class F>
int with_storage(F f) {
  size_t bytes = 0;
  CHECK(f(nullptr, bytes));
  void* storage = nullptr;
  CHECK(cudaMalloc(&storage, bytes));
  CHECK(f(storage, bytes));
  CHECK(cudaFree(storage));
  return 0;
}

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};

int main() {
  const int n = 3000;
  std::vector<int> in(n);
  unsigned s = 12345;
  for (int& x : in) {
    s = s * 1664525u + 1013904223u;
    x = (s >> 20) % 64;
  }
  int *d_in, *d_out, *d_hist, *d_counts, *d_number;
  CHECK(cudaMalloc(&d_in, n * 4));
  CHECK(cudaMalloc(&d_out, n * 4));
  CHECK(cudaMalloc(&d_hist, 64 * 4));
  CHECK(cudaMalloc(&d_counts, n * 4));
  CHECK(cudaMalloc(&d_number, 4));
  CHECK(cudaMemcpy(d_in, in.data(), n * 4, cudaMemcpyHostToDevice));
  if (with_storage([&](void* t, size_t& b) {
        return cub::DeviceHistogram::HistogramEven(t, b, d_in, d_hist, 65, 0, 64, n);
      }))
    return 1;
  std::vector<int> hist(64), want(64);
  for (int x : in) ++want[x];
  CHECK(cudaMemcpy(hist.data(), d_hist, 256, cudaMemcpyDeviceToHost));
  printf("histogram %s\n", hist == want ? "right" : "wrong");
  if (with_storage(
          [&](void* t, size_t& b) { return cub::DeviceRadixSort::SortKeys(t, b, d_in, d_out, n); }))
    return 1;
  std::vector<int> sorted(n);
  CHECK(cudaMemcpy(sorted.data(), d_out, n * 4, cudaMemcpyDeviceToHost));
  auto copy = in;
  std::sort(copy.begin(), copy.end());
  printf("sort %s\n", copy == sorted ? "right" : "wrong");
  int number = 0;
  if (with_storage([&](void* t, size_t& b) {
        return cub::DeviceRunLengthEncode::Encode(t, b, d_out, d_in, d_counts, d_number, n);
      }))
    return 1;
  CHECK(cudaMemcpy(&number, d_number, 4, cudaMemcpyDeviceToHost));
  std::vector<int> counts(number);
  CHECK(cudaMemcpy(counts.data(), d_counts, number * 4, cudaMemcpyDeviceToHost));
  printf("runs %d: %s\n", number, counts == want ? "right" : "wrong");
  if (with_storage([&](void* t, size_t& b) {
        return cub::DeviceSelect::If(t, b, d_out, d_in, d_number, n, IsOdd{});
      }))
    return 1;
  CHECK(cudaMemcpy(&number, d_number, 4, cudaMemcpyDeviceToHost));
  int odd = 0;
  for (int x : in) odd += x & 1;
  printf("odd %d: %s\n", number, number == odd ? "right" : "wrong");
  if (with_storage([&](void* t, size_t& b) {
        return cub::DeviceScan::InclusiveSumByKey(t, b, d_out, d_out, d_counts, n);
      }))
    return 1;
  std::vector<int> scan(n);
  CHECK(cudaMemcpy(scan.data(), d_counts, n * 4, cudaMemcpyDeviceToHost));
  int wrong = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = i && sorted[i] == sorted[i - 1] ? sum + sorted[i] : sorted[i];
    wrong += scan[i] != sum;
  }
  printf("scan by key: %d wrong\n", wrong);
}
