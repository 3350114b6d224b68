// SPDX-License-Identifier: Apache-2.0
// Compares special_value() with a GPU, for all 2^32 arguments of each function of MUFU:
//
//   nvcc -O2 -std=c++17 -arch=native -I. scripts/lab/hw/special_values.cu \
//       isa/machine/alu/special_values.cc -o special_values && ./special_values
//
// Prints how many results differ, and the first of them. Takes a minute on 16 cores.
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#include "isa/machine/alu/special_values.h"

using shflsim::isa::special_value;
using shflsim::isa::SpecialFunction;

constexpr uint32_t kChunk = 1u << 26;
constexpr unsigned kThreads = 16;
constexpr const char* kNames[] = {"cos", "sin",    "ex2",    "lg2",  "rcp",
                                  "rsq", "rcp64h", "rsq64h", "sqrt", "tanh"};

#define FLOAT_CASE(number, name) \
  case number: asm(name " %0, %1;" : "=f"(y) : "f"(x)); break;
#define DOUBLE_CASE(number, name) \
  case number: { \
    const double wide = __hiloint2double(__float_as_int(x), 0); \
    double result; \
    asm(name " %0, %1;" : "=d"(result) : "d"(wide)); \
    return __double2hiint(result); \
  }

__device__ uint32_t on_gpu(int function, uint32_t bits) {
  const float x = __uint_as_float(bits);
  float y = 0;
  switch (function) {
    FLOAT_CASE(0, "cos.approx.ftz.f32")
    FLOAT_CASE(1, "sin.approx.ftz.f32")
    FLOAT_CASE(2, "ex2.approx.ftz.f32")
    FLOAT_CASE(3, "lg2.approx.ftz.f32")
    FLOAT_CASE(4, "rcp.approx.ftz.f32")
    FLOAT_CASE(5, "rsqrt.approx.ftz.f32")
    DOUBLE_CASE(6, "rcp.approx.ftz.f64")
    DOUBLE_CASE(7, "rsqrt.approx.ftz.f64")
    FLOAT_CASE(8, "sqrt.approx.ftz.f32")
    FLOAT_CASE(9, "tanh.approx.f32")
  }
  return __float_as_uint(y);
}

/// `arguments` receives what MUFU is given: turns for sine and cosine.
__global__ void run(int function, uint32_t first, uint32_t* arguments, uint32_t* results) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = __uint_as_float(first + i);
  results[i] = on_gpu(function, first + i);
  if (function < 2) asm("mul.rz.ftz.f32 %0, %0, 0f3e22f983;" : "+f"(x));
  arguments[i] = __float_as_uint(x);
}

struct Difference {
  uint64_t count = 0;
  uint32_t argument = 0, result = 0;
};

Difference differences(int function, const uint32_t* arguments, const uint32_t* results) {
  Difference found;
  for (uint32_t i = 0; i < kChunk / kThreads; ++i) {
    if (special_value(static_cast<SpecialFunction>(function), arguments[i]) == results[i]) continue;
    if (found.count++ == 0) found.argument = arguments[i], found.result = results[i];
  }
  return found;
}

int main() {
  uint32_t *arguments, *results;
  cudaMallocManaged(&arguments, sizeof(uint32_t) * kChunk);
  cudaMallocManaged(&results, sizeof(uint32_t) * kChunk);
  bool is_equal = true;
  for (int function = 0; function < 10; ++function) {
    Difference all;
    for (uint64_t first = 0; first < uint64_t{1} << 32; first += kChunk) {
      run<<<kChunk / 256, 256>>>(function, static_cast<uint32_t>(first), arguments, results);
      cudaDeviceSynchronize();
      std::vector<Difference> parts(kThreads);
      std::vector<std::thread> threads;
      for (unsigned part = 0; part < kThreads; ++part) {
        const uint32_t from = part * (kChunk / kThreads);
        threads.emplace_back([&parts, part, from, function, arguments, results] {
          parts[part] = differences(function, arguments + from, results + from);
        });
      }
      for (std::thread& thread : threads) thread.join();
      for (const Difference& part : parts) {
        if (all.count == 0) all.argument = part.argument, all.result = part.result;
        all.count += part.count;
      }
    }
    printf("%-7s%llu of 2^32 differ", kNames[function], static_cast<unsigned long long>(all.count));
    if (all.count != 0) {
      printf(", first 0x%08x: GPU 0x%08x, model 0x%08x", all.argument, all.result,
             special_value(static_cast<SpecialFunction>(function), all.argument));
    }
    printf("\n");
    is_equal = is_equal && all.count == 0;
  }
  return is_equal ? 0 : 1;
}
