// Each value is looked up in a table that the warp's registers hold, and each warp's sum is written.
extern "C" __global__ void lookup(const unsigned* table, const unsigned* keys, unsigned* sums) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned entry = table[lane];
  unsigned sum = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const unsigned key = keys[thread] >> shift;
    sum += __shfl_sync(0xffffffff, entry, key % 32);
  }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) sums[thread / 32] = sum;
}
