// CUB's collectives of a block and of parts of a warp: loads, sorts, scans, sums, exchanges.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <cuda/functional>
#include <vector>

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems, kTiles = 4;
constexpr int kElements = kTiles * kTile - 148;  // the last tile is not full

/// Of each tile: its sorted elements, the number of distinct ones up to each, their sum.
__global__ void tiles(const int* in, int* sorted, int* ranks, int* sums) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Heads = cub::BlockDiscontinuity<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_RAKING>;
  using Sum = cub::BlockReduce<int, kThreads, cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>;
  using Exchange = cub::BlockExchange<int, kThreads, kItems>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    Load::TempStorage load;
    Sort::TempStorage sort;
    Heads::TempStorage heads;
    Scan::TempStorage scan;
    Sum::TempStorage sum;
    Exchange::TempStorage exchange;
    Store::TempStorage store;
  } shared;
  const int first = blockIdx.x * kTile;
  int values[kItems], heads[kItems], counts[kItems];
  Load(shared.load).Load(in + first, values, kElements - first, 0x7fffffff);
  __syncthreads();
  Sort(shared.sort).Sort(values);
  __syncthreads();
  Heads(shared.heads).FlagHeads(heads, values, ::cuda::std::not_equal_to<>{});
  __syncthreads();
  Scan(shared.scan).InclusiveSum(heads, counts);
  __syncthreads();
  const int sum = Sum(shared.sum).Sum(counts);
  __syncthreads();
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  Exchange(shared.exchange).BlockedToStriped(counts, heads);
  __syncthreads();
  Store(shared.store).Store(sorted + first, values, kElements - first);
  for (int i = 0; i < kItems; ++i) {
    const int at = first + i * kThreads + threadIdx.x;
    if (at < kElements) ranks[at] = heads[i];
  }
}

/// Sums in front of each lane of 8, the greatest of 16 lanes, and 64 sorted elements of 32 lanes.
__global__ void warps(const int* in, int* sums, int* greatest, int* sorted) {
  using Scan = cub::WarpScan<int, 8>;
  using Reduce = cub::WarpReduce<int, 16>;
  using Sort = cub::WarpMergeSort<int, 2, 32>;
  __shared__ Scan::TempStorage scan[kThreads / 8];
  __shared__ Reduce::TempStorage reduce[kThreads / 16];
  __shared__ Sort::TempStorage sort[kThreads / 32];
  const int t = threadIdx.x;
  Scan(scan[t / 8]).ExclusiveSum(in[t], sums[t]);
  greatest[t] = Reduce(reduce[t / 16]).Reduce(in[t], ::cuda::maximum<>{});
  int two[2] = {in[2 * t], in[2 * t + 1]};
  Sort(sort[t / 32]).Sort(two, [](int a, int b) { return a < b; });
  sorted[2 * t] = two[0];
  sorted[2 * t + 1] = two[1];
}

int wrong_tiles(const std::vector<int>& in, const int* sorted, const int* ranks, const int* sums) {
  int wrong = 0;
  for (int tile = 0; tile < kTiles; ++tile) {
    const int first = tile * kTile, end = std::min(kElements, first + kTile);
    std::vector<int> want(in.begin() + first, in.begin() + end);
    want.resize(kTile, 0x7fffffff);
    std::sort(want.begin(), want.end());
    int rank = 0, sum = 0;
    for (int i = 0; i < kTile; ++i) {
      rank += i == 0 || want[i] != want[i - 1];
      sum += rank;
      if (first + i < end) wrong += sorted[first + i] != want[i] || ranks[first + i] != rank;
    }
    wrong += sums[tile] != sum;
  }
  return wrong;
}

int wrong_warps(const std::vector<int>& in, const int* sums, const int* greatest,
                const int* sorted) {
  int wrong = 0;
  for (int t = 0; t < kThreads; ++t) {
    int sum = 0;
    for (int i = t / 8 * 8; i < t; ++i) sum += in[i];
    wrong += sums[t] != sum;
    if (t % 16 == 0) wrong += greatest[t] != *std::max_element(&in[t], &in[t] + 16);
  }
  std::vector<int> want(in.begin(), in.begin() + 2 * kThreads);
  for (int i = 0; i < 2 * kThreads; i += 64) std::sort(want.begin() + i, want.begin() + i + 64);
  return wrong + !std::equal(want.begin(), want.end(), sorted);
}

int main() {
  std::vector<int> in(kElements);
  unsigned s = 99;
  for (int& x : in) {
    s = s * 1664525u + 1013904223u;
    x = (s >> 16) % 200;
  }
  int *values, *first, *second, *third;
  cudaMalloc(&values, kElements * sizeof(int));
  cudaMemcpy(values, in.data(), kElements * sizeof(int), cudaMemcpyHostToDevice);
  for (int** each : {&first, &second, &third}) cudaMallocManaged(each, kElements * sizeof(int));
  tiles<<<kTiles, kThreads>>>(values, first, second, third);
  printf("%s, ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("tiles: %d wrong\n", wrong_tiles(in, first, second, third));
  warps<<<1, kThreads>>>(values, first, second, third);
  printf("%s, ", cudaGetErrorName(cudaDeviceSynchronize()));
  printf("warps: %d wrong\n", wrong_warps(in, first, second, third));
}
