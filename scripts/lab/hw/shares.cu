// SPDX-License-Identifier: Apache-2.0
// Which share of the MIO's pipe a sub-partition gets beside others. Warp 0 issues 48 instructions of one kind; at the same
// time the warps of one or three other sub-partitions issue 48 each of another kind. The fourth pass is kept.
//
//   nvcc -arch=sm_90 -std=c++17 -O3 -o shares shares.cu && ./shares > shares.csv
//
// A row has the two kinds, the number of other sub-partitions, the warps of the block, the launch, the cycles until warp 0
// has issued and until its results are used, and for each other warp its number and the clocks around its instructions.
#include <cstdio>
#include <utility>

constexpr int kTimes = 48;
constexpr int kPasses = 4;
constexpr int kClocks = 64;

enum Kind { kNone, kShfl, kShfl3, kLds, kLds2, kLds4, kSts, kSts2, kSts4, kLds128, kSts128, kStg, kStg1, kStg128, kRed, kAtoms, kKinds };
const char* const kNames[] = {"none", "shfl", "shfl3", "lds", "lds2", "lds4", "sts", "sts2", "sts4", "lds128", "sts128", "stg", "stg1", "stg128", "red", "atoms"};

struct Places {
  unsigned lane, shared;
  unsigned* global;
};

template <Kind kKind>
__device__ __forceinline__ void issue(const Places& a, unsigned (&r)[8]) {
  const unsigned row = a.shared + 4 * a.lane, two = a.shared + 8 * a.lane, four = a.shared + 16 * a.lane;
  unsigned* const words = a.global + a.lane;
  unsigned* const quads = a.global + 4 * a.lane;
#pragma unroll
  for (int i = 0; i < kTimes; ++i) {
    unsigned& d = r[i % 8];
    if constexpr (kKind == kShfl) asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(d) : "r"(a.lane));
    if constexpr (kKind == kShfl3)
      asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, -1;" : "=r"(d) : "r"(a.lane), "r"(r[7]), "r"(a.shared));
    if constexpr (kKind == kLds) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(d) : "r"(row + 128 * (i % 8)));
    if constexpr (kKind == kLds2) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(d) : "r"(two + 256 * (i % 8)));
    if constexpr (kKind == kLds4) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(d) : "r"(four + 512 * (i % 8)));
    if constexpr (kKind == kSts) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(row + 128 * (i % 8)), "r"(a.lane));
    if constexpr (kKind == kSts2) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(two + 256 * (i % 8)), "r"(a.lane));
    if constexpr (kKind == kSts4) asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(four + 512 * (i % 8)), "r"(a.lane));
    if constexpr (kKind == kLds128) {
      unsigned y, z, w;
      asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(d), "=r"(y), "=r"(z), "=r"(w) : "r"(four + 512 * (i % 8)));
      r[(i + 1) % 8] = y;
    }
    if constexpr (kKind == kSts128)
      asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(four + 512 * (i % 8)), "r"(a.lane));
    if constexpr (kKind == kStg) asm volatile("st.global.u32 [%0], %1;" ::"l"(words + 32 * i), "r"(a.lane));
    if constexpr (kKind == kStg1)
      asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 0; @p st.global.u32 [%0], %1;}" ::"l"(words + 32 * i), "r"(a.lane));
    if constexpr (kKind == kStg128) asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(quads + 128 * i), "r"(a.lane));
    if constexpr (kKind == kRed) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(words + 32 * i), "r"(a.lane));
    if constexpr (kKind == kAtoms) asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(row + 128 * (i % 8)), "r"(a.lane));
  }
}

__device__ __forceinline__ unsigned now() {
  unsigned t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

template <Kind kFirst, Kind kOther>
__global__ void __launch_bounds__(512) share(unsigned* global, unsigned* clocks, int others) {
  __shared__ unsigned words[8192];
  const unsigned warp = threadIdx.x / 32;
  const Places a{threadIdx.x % 32, static_cast<unsigned>(__cvta_generic_to_shared(words)) + 4096 * (warp % 4), global + (warp << 14)};
  words[threadIdx.x] = threadIdx.x;
  unsigned r[8] = {warp, warp, warp, warp, warp, warp, warp, warp & 31}, sum = 0;
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    if (warp == 0) {
      const unsigned begin = now();
      issue<kFirst>(a, r);
      const unsigned issued = now();
      for (unsigned each : r) sum += each;
      unsigned used;
      asm volatile("{.reg .u32 x; and.b32 x, %1, 0; mov.u32 %0, %%clock; add.u32 %0, %0, x;}" : "=r"(used) : "r"(sum) : "memory");
      if (a.lane == 0) clocks[0] = begin, clocks[1] = issued, clocks[2] = used;
    } else if (warp % 4 != 0 && warp % 4 <= others) {
      const unsigned begin = now();
      issue<kOther>(a, r);
      const unsigned issued = now();
      if (a.lane == 0) clocks[3 * warp] = begin, clocks[3 * warp + 1] = issued;
    }
  }
  for (unsigned each : r) sum += each;
  if (sum == 0x12345) clocks[kClocks - 1] = sum;
}

unsigned *global, *clocks;

void print(const unsigned (&t)[kClocks], int others, int warps) {
  std::printf(",%u,%u,", t[1] - t[0], t[2] - t[0]);
  for (int w = 1; w < warps; ++w)
    if (w % 4 != 0 && w % 4 <= others)
      std::printf("%s%d:%d:%d", w == 1 ? "" : " ", w, static_cast<int>(t[3 * w] - t[0]), static_cast<int>(t[3 * w + 1] - t[0]));
  std::puts("");
}

template <Kind kFirst, Kind kOther>
void run() {
  for (int others : {1, 3})
    for (int warps : {4, 16})
      for (int launch = 0; launch < 3; ++launch) {
        unsigned times[kClocks] = {};
        cudaMemset(clocks, 0, sizeof times);
        share<kFirst, kOther><<<1, 32 * warps>>>(global, clocks, others);
        cudaMemcpy(times, clocks, sizeof times, cudaMemcpyDeviceToHost);
        std::printf("%s,%s,%d,%d,%d", kNames[kFirst], kNames[kOther], others, warps, launch);
        print(times, others, warps);
      }
}

template <Kind kFirst, int... kOthers>
void row(std::integer_sequence<int, kOthers...>) {
  (run<kFirst, static_cast<Kind>(kOthers)>(), ...);
}

template <Kind... kFirsts>
void rows() {
  (row<kFirsts>(std::make_integer_sequence<int, kKinds>()), ...);
}

int main() {
  cudaMalloc(&global, 64 << 20);
  cudaMalloc(&clocks, kClocks * sizeof(unsigned));
  std::puts("first,other,others,warps,launch,issued,used,begins_and_ends");
  rows<kShfl, kShfl3, kLds, kLds2, kLds4, kSts, kSts2, kLds128, kSts128, kStg, kStg128>();
}
