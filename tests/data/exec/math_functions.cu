// Black-Scholes and Monte Carlo with constants, math functions, doubles, and curand-like state in
// global memory.
#include <cmath>
#include <cstdio>
__constant__ double strikes[8];
__constant__ float rates[2] = {0.02f, 0.3f};
__device__ float cnd(float d) {
  const float k = 1.f / (1.f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) * k *
            (0.31938153f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + 1.330274429f * k))));
  return d > 0 ? 1.f - c : c;
}
__global__ void price(float* call, float* put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 5.f + i % 25, x = strikes[i & 7], t = 0.25f + (i % 10), root = sqrtf(t);
  float d1 = (logf(s / x) + (rates[0] + 0.5f * rates[1] * rates[1]) * t) / (rates[1] * root),
        d2 = d1 - rates[1] * root, e = expf(-rates[0] * t);
  call[i] = s * cnd(d1) - x * e * cnd(d2);
  put[i] = x * e * (1.f - cnd(d2)) - s * (1.f - cnd(d1));
}
__global__ void paths(double* sums, unsigned* states) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = states[i];
  double sum = 0;
  for (int k = 0; k < 20; ++k) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    double u = (s + 0.5) / 4294967296.0;
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    double v = (s + 0.5) / 4294967296.0;
    sum += fmax(100 * exp(0.2 * sqrt(-2 * log(u)) * cospi(2 * v)) - 100, 0.0);
  }
  states[i] = s;
  sums[i] = sum;
}
__global__ void functions(double* out) {
  double x = 0.5 + threadIdx.x;
  out[threadIdx.x] = pow(x, 1.5) + tgamma(x) + erf(x) + atan2(x, 2.0) + cbrt(x) + fmod(x, 0.7) +
                     ldexp(x, 2) + rint(x) + hypot(x, 3.0) + sinh(x / 4) + j0(x);
}
int main() {
  const int n = 1000;
  double k[8];
  for (int i = 0; i < 8; ++i) k[i] = 10 + 3 * i;
  cudaMemcpyToSymbol(strikes, k, sizeof k);
  float *c, *p;
  cudaMallocManaged(&c, n * 4);
  cudaMallocManaged(&p, n * 4);
  price<<<(n + 127) / 128, 128>>>(c, p, n);
  cudaDeviceSynchronize();
  double worst = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    double s = 5 + i % 25, x = k[i & 7], t = 0.25 + (i % 10);
    worst = fmax(worst, fabs((c[i] - p[i]) - (s - x * exp(-0.02 * t))));
    sum += c[i];
  }
  printf("parity within 1e-4: %d, sum %.3f\n", worst < 1e-4, sum);
  double* d;
  unsigned* s;
  cudaMallocManaged(&d, 256 * 8);
  cudaMallocManaged(&s, 256 * 4);
  for (int i = 0; i < 256; ++i) s[i] = 1234567u + 7919u * i;
  paths<<<2, 128>>>(d, s);
  cudaDeviceSynchronize();
  double t = 0;
  for (int i = 0; i < 256; ++i) t += d[i];
  printf("mean %.9f\n", t / 5120);
  functions<<<1, 16>>>(d);
  cudaDeviceSynchronize();
  worst = 0;
  for (int i = 0; i < 16; ++i) {
    double x = 0.5 + i, w = pow(x, 1.5) + tgamma(x) + erf(x) + atan2(x, 2.0) + cbrt(x) +
                            fmod(x, 0.7) + ldexp(x, 2) + rint(x) + hypot(x, 3.0) + sinh(x / 4) +
                            j0(x);
    worst = fmax(worst, fabs(d[i] - w) / w);
  }
  printf("functions within 1e-12: %d, %s\n", worst < 1e-12, cudaGetErrorName(cudaGetLastError()));
}
