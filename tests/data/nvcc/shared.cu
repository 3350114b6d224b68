// Static and dynamic shared memory, which a linker has yet to lay out in relocatable code.
__shared__ int common[8];

extern "C" __global__ void kernel(int* out, int n) {
  __shared__ int three[3];
  __shared__ int words[64];
  extern __shared__ int dynamic[];
  const int i = threadIdx.x;
  words[i] = i * 3;
  dynamic[i] = i;
  if (i < 3) three[i] = 7 + i;
  if (i < 8) common[i] = 100 + i;
  __syncthreads();
  const int* chosen = n > 100 ? three : words;
  out[i] = words[63 - i] + dynamic[63 - i] + three[i % 3] + common[i & 7] + chosen[i];
}
