#pragma once
// The sum of a warp's values, in every lane.
__device__ inline int warp_sum(int value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}
