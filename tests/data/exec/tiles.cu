// Cooperative groups of a block: tiles, reductions, votes, matches, coalesced groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void tiles(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int mine = in[block.thread_rank()];
  out[block.thread_rank()] = cg::reduce(tile, mine, cg::plus<int>()) * 100 + tile.meta_group_rank();
  int prefix = mine;
  for (unsigned d = 1; d < tile.size(); d *= 2) {
    int other = tile.shfl_up(prefix, d);
    if (tile.thread_rank() >= d) prefix += other;
  }
  out[64 + block.thread_rank()] = prefix;
  block.sync();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  out[128 + block.thread_rank()] = warp.ballot(mine % 3 == 0);
  out[192 + block.thread_rank()] = warp.any(mine > 60) * 2 + warp.all(mine >= 0);
  out[256 + block.thread_rank()] = __popc(__match_any_sync(~0u, mine % 5));
  if (mine % 2) {
    cg::coalesced_group odd = cg::coalesced_threads();
    out[320 + block.thread_rank()] = odd.size() * 1000 + odd.thread_rank();
  } else {
    out[320 + block.thread_rank()] = -1;
  }
}

int main() {
  int in[64], out[384], wrong = 0, *din, *dout;
  for (int i = 0; i < 64; ++i) in[i] = (i * 7) % 64;
  cudaMalloc(&din, sizeof in);
  cudaMalloc(&dout, sizeof out);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  tiles<<<1, 64>>>(din, dout);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) {
    int sum = 0, prefix = 0, same = 0, odd = 0, rank = 0, any = 0;
    unsigned ballot = 0;
    for (int k = i / 8 * 8; k < i / 8 * 8 + 8; ++k) {
      sum += in[k];
      if (k <= i) prefix += in[k];
    }
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) {
      same += in[k] % 5 == in[i] % 5;
      odd += in[k] % 2;
      rank += k < i && in[k] % 2;
      any |= in[k] > 60;
      ballot |= (in[k] % 3 == 0 ? 1u : 0u) << (k % 32);
    }
    wrong += out[i] != sum * 100 + i / 8;
    wrong += out[64 + i] != prefix;
    wrong += (unsigned)out[128 + i] != ballot;
    wrong += out[192 + i] != any * 2 + 1;
    wrong += out[256 + i] != same;
    wrong += out[320 + i] != (in[i] % 2 ? odd * 1000 + rank : -1);
  }
  printf("%s, %d wrong: %s\n", cudaGetErrorName(cudaGetLastError()), wrong,
         wrong == 0 ? "PASSED" : "FAILED");
  return 0;
}
