// Managed memory and a managed variable: host and kernels write in turn.
#include <cstdio>

__managed__ int counter = 5;
__device__ __managed__ float table[64];

__global__ void scale(int* data, int n, int factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
  if (i == 0) counter += factor;
  if (i < 64) table[i] = table[i] * 2.0f + i;
}

int main() {
  const int n = 1000;
  int* data;
  if (cudaMallocManaged(&data, n * sizeof(int)) != cudaSuccess) return 1;
  for (int i = 0; i < n; ++i) data[i] = i;
  for (int i = 0; i < 64; ++i) table[i] = 0.25f;
  scale<<<(n + 127) / 128, 128>>>(data, n, 3);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) data[i] += 1;
  scale<<<(n + 127) / 128, 128>>>(data, n, 2);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += data[i] != (i * 3 + 1) * 2;
  for (int i = 0; i < 64; ++i) wrong += table[i] != (0.25f * 2 + i) * 2 + i;
  printf("counter %d, wrong %d: %s\n", counter, wrong,
         wrong == 0 && counter == 10 ? "PASSED" : "FAILED");
  cudaPointerAttributes at;
  cudaPointerGetAttributes(&at, data);
  printf("type %d device %d same %d\n", at.type, at.device,
         at.devicePointer == data && at.hostPointer == data);
  cudaFree(data);
  return 0;
}
