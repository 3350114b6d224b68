// Copies and fills of rectangles and boxes, between pitched and dense memory, to and from symbols.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define OK(x)                                       \
  do {                                              \
    cudaError_t e_ = (x);                           \
    if (e_ != cudaSuccess) {                        \
      printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
    }                                               \
  } while (0)
__constant__ float weights[16];
__device__ int table[64];
__global__ void scale(char* base, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) {
    float* row = (float*)(base + y * pitch);
    row[x] = row[x] * weights[x & 15] + table[y & 63];
  }
}
__global__ void box(cudaPitchedPtr p, int w, int h, int d) {
  int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (x < w)
    ((int*)((char*)p.ptr + (size_t)z * p.pitch * p.ysize + y * p.pitch))[x] += x + 10 * y + 100 * z;
}
int main() {
  const int w = 37, h = 11;
  float host[h][w], back[h][w];
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) host[y][x] = x + y * 0.5f;
  float ws[16];
  for (int i = 0; i < 16; ++i) ws[i] = i * 0.25f;
  int tb[64];
  for (int i = 0; i < 64; ++i) tb[i] = i * i;
  cudaStream_t s;
  OK(cudaStreamCreate(&s));
  OK(cudaMemcpyToSymbolAsync(weights, ws, sizeof ws, 0, cudaMemcpyHostToDevice, s));
  OK(cudaMemcpyToSymbolAsync(table, tb, 32 * 4, 0, cudaMemcpyHostToDevice, s));
  OK(cudaMemcpyToSymbolAsync(table, tb + 32, 32 * 4, 32 * 4, cudaMemcpyHostToDevice, s));
  char* d;
  size_t pitch;
  OK(cudaMallocPitch(&d, &pitch, w * sizeof(float), h));
  printf("pitch ok: %d\n", pitch >= w * 4 && pitch % 512 == 0);
  OK(cudaMemset2D(d, pitch, 0, w * 4, h));
  OK(cudaMemcpy2DAsync(d, pitch, host, w * 4, w * 4, h, cudaMemcpyHostToDevice, s));
  scale<<<dim3(2, h), 32, 0, s>>>(d, pitch, w, h);
  OK(cudaMemcpy2DAsync(back, w * 4, d, pitch, w * 4, h, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  double sum = 0;
  for (auto& r : back)
    for (float v : r) sum += v;
  printf("sum %.3f, corner %.3f\n", sum, back[h - 1][w - 1]);
  cudaExtent e = make_cudaExtent(20 * sizeof(int), 6, 4);
  cudaPitchedPtr p;
  OK(cudaMalloc3D(&p, e));
  OK(cudaMemset3D(p, 1, e));
  box<<<dim3(6, 4), 32>>>(p, 20, 6, 4);
  int vol[4][6][20];
  cudaMemcpy3DParms c = {};
  c.srcPtr = p;
  c.dstPtr = make_cudaPitchedPtr(vol, 80, 20, 6);
  c.extent = e;
  c.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3D(&c));
  printf("box %d %d %d\n", vol[0][0][0], vol[3][5][19] - 0x01010101, vol[2][1][7] - 0x01010101);
  c.srcPos = make_cudaPos(4 * 4, 1, 1);
  c.dstPos = make_cudaPos(0, 0, 0);
  c.extent = make_cudaExtent(16, 2, 2);
  memset(vol, 0, sizeof vol);
  OK(cudaMemcpy3DAsync(&c, s));
  OK(cudaStreamSynchronize(s));
  printf("part %d %d %d %d\n", vol[0][0][0] - 0x01010101, vol[1][1][3] - 0x01010101, vol[0][0][4],
         vol[1][2][0]);
  int one;
  OK(cudaMemcpyFromSymbolAsync(&one, table, 4, 7 * 4, cudaMemcpyDeviceToHost, s));
  OK(cudaStreamSynchronize(s));
  printf("symbol %d\n", one);
  printf("%s\n",
         cudaGetErrorName(cudaMemcpy2D(back, 4, d, pitch, w * 4, h, cudaMemcpyDeviceToHost)));
  printf("%s\n", cudaGetErrorName(cudaMemcpyToSymbol(weights, ws, sizeof ws, 8)));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  OK(cudaFree(p.ptr));
  OK(cudaFree(d));
  OK(cudaStreamDestroy(s));
}
