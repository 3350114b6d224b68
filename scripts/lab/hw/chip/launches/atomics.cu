// SPDX-License-Identifier: Apache-2.0
// Atomics of all SMs; each launch asks how long one pattern of words takes. 33,792 of a warp.
#include <cstdint>
using u32 = uint32_t;
using u64 = unsigned long long;

enum Kind { kRed, kAtom, kRedFloat, kCas, kMax, kRed64 };
// `lanes` lanes of each warp, `apart` words from each other; warps over `lines` lines.
template <Kind kind>
__device__ void rows(u32* base, u32 lanes, u32 apart, u32 lines, u32 rounds) {
  u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, sum = 0;
  if (lane >= lanes) return;
  for (u32 i = 0; i < rounds; i++) {
    u32* at = base + (warp * rounds + i) % lines * 32 + lane * apart % 32;
    if (kind == kRed) asm volatile("red.global.add.u32 [%0], 1;" :: "l"(at) : "memory");
    if (kind == kAtom) asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(sum) : "l"(at) : "memory");
    if (kind == kRedFloat) asm volatile("red.global.add.f32 [%0], 0f3f800000;" :: "l"(at) : "memory");
    if (kind == kCas) asm volatile("atom.global.cas.b32 %0, [%1], 5, 0;" : "=r"(sum) : "l"(at) : "memory");
    if (kind == kMax) asm volatile("red.global.max.u32 [%0], %1;" :: "l"(at), "r"(warp) : "memory");
    if (kind == kRed64) asm volatile("red.global.add.u64 [%0], 1;" :: "l"((u64*)base + (at - base)) : "memory");
  }
  if (sum == 0x12345678) base[0] = 0;
}
// Words that the host has drawn, one a lane.
template <Kind kind>
__device__ void bins(const u32* __restrict__ drawn, u32* base) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  u32* at = base + drawn[i];
  if (kind == kRed) asm volatile("red.global.add.u32 [%0], 1;" :: "l"(at) : "memory");
  if (kind == kAtom) asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(sum) : "l"(at) : "memory");
  if (kind == kRedFloat) asm volatile("red.global.add.f32 [%0], 0f3f800000;" :: "l"(at) : "memory");
  if (sum == 0xf2345678) base[0] = 0;
}
#define ROWS(name, kind) \
  extern "C" __global__ void name(u32* base, u32 lanes, u32 apart, u32 lines, u32 rounds) { rows<kind>(base, lanes, apart, lines, rounds); }
#define BINS(name, kind) \
  extern "C" __global__ void name(const u32* drawn, u32* base) { bins<kind>(drawn, base); }
//@ red_32by1_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1, u32:8
ROWS(red_32by1_1, kRed)
//@ red_32by1_2 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:2, u32:8
ROWS(red_32by1_2, kRed)
//@ red_32by1_4 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:4, u32:8
ROWS(red_32by1_4, kRed)
//@ red_32by1_8 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:8, u32:8
ROWS(red_32by1_8, kRed)
//@ red_32by1_16 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:16, u32:8
ROWS(red_32by1_16, kRed)
//@ red_32by1_64 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:64, u32:8
ROWS(red_32by1_64, kRed)
//@ red_32by1_1024 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1024, u32:8
ROWS(red_32by1_1024, kRed)
//@ red_32by1_16384 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:16384, u32:8
ROWS(red_32by1_16384, kRed)
//@ atom_32by1_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1, u32:8
ROWS(atom_32by1_1, kAtom)
//@ atom_32by1_4 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:4, u32:8
ROWS(atom_32by1_4, kAtom)
//@ atom_32by1_16 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:16, u32:8
ROWS(atom_32by1_16, kAtom)
//@ atom_32by1_1024 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1024, u32:8
ROWS(atom_32by1_1024, kAtom)
//@ redf_32by1_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1, u32:8
ROWS(redf_32by1_1, kRedFloat)
//@ max_32by1_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1, u32:8
ROWS(max_32by1_1, kMax)
//@ red64_32by1_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1, u32:8
ROWS(red64_32by1_1, kRed64)
//@ redf_32by1_16 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:16, u32:8
ROWS(redf_32by1_16, kRedFloat)
//@ max_32by1_16 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:16, u32:8
ROWS(max_32by1_16, kMax)
//@ red64_32by1_16 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:16, u32:8
ROWS(red64_32by1_16, kRed64)
//@ cas_32by1_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:1, u32:8
ROWS(cas_32by1_1, kCas)
//@ cas_32by1_16 grid=264 block=256 args: zeros:4194304, u32:32, u32:1, u32:16, u32:8
ROWS(cas_32by1_16, kCas)
//@ red_1by1_1 grid=264 block=256 args: zeros:4194304, u32:1, u32:1, u32:1, u32:8
ROWS(red_1by1_1, kRed)
//@ red_2by1_1 grid=264 block=256 args: zeros:4194304, u32:2, u32:1, u32:1, u32:8
ROWS(red_2by1_1, kRed)
//@ red_8by1_1 grid=264 block=256 args: zeros:4194304, u32:8, u32:1, u32:1, u32:8
ROWS(red_8by1_1, kRed)
//@ red_16by1_1 grid=264 block=256 args: zeros:4194304, u32:16, u32:1, u32:1, u32:8
ROWS(red_16by1_1, kRed)
//@ red_4by8_1 grid=264 block=256 args: zeros:4194304, u32:4, u32:8, u32:1, u32:8
ROWS(red_4by8_1, kRed)
//@ red_2by8_1 grid=264 block=256 args: zeros:4194304, u32:2, u32:8, u32:1, u32:8
ROWS(red_2by8_1, kRed)
//@ red_8by4_1 grid=264 block=256 args: zeros:4194304, u32:8, u32:4, u32:1, u32:8
ROWS(red_8by4_1, kRed)
//@ red_16by2_1 grid=264 block=256 args: zeros:4194304, u32:16, u32:2, u32:1, u32:8
ROWS(red_16by2_1, kRed)
//@ red_2by0_1 grid=264 block=256 args: zeros:4194304, u32:2, u32:0, u32:1, u32:8
ROWS(red_2by0_1, kRed)
//@ red_8by0_1 grid=264 block=256 args: zeros:4194304, u32:8, u32:0, u32:1, u32:8
ROWS(red_8by0_1, kRed)
//@ red_32by0_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:0, u32:1, u32:8
ROWS(red_32by0_1, kRed)
//@ redf_1by1_1 grid=264 block=256 args: zeros:4194304, u32:1, u32:1, u32:1, u32:8
ROWS(redf_1by1_1, kRedFloat)
//@ redf_2by0_1 grid=264 block=256 args: zeros:4194304, u32:2, u32:0, u32:1, u32:8
ROWS(redf_2by0_1, kRedFloat)
//@ redf_8by0_1 grid=264 block=256 args: zeros:4194304, u32:8, u32:0, u32:1, u32:8
ROWS(redf_8by0_1, kRedFloat)
//@ redf_8by1_1 grid=264 block=256 args: zeros:4194304, u32:8, u32:1, u32:1, u32:8
ROWS(redf_8by1_1, kRedFloat)
//@ redf_32by0_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:0, u32:1, u32:8
ROWS(redf_32by0_1, kRedFloat)
//@ atom_1by1_1 grid=264 block=256 args: zeros:4194304, u32:1, u32:1, u32:1, u32:8
ROWS(atom_1by1_1, kAtom)
//@ atom_32by0_1 grid=264 block=256 args: zeros:4194304, u32:32, u32:0, u32:1, u32:2
ROWS(atom_32by0_1, kAtom)
//@ atom_1by1_1024 grid=264 block=256 args: zeros:4194304, u32:1, u32:1, u32:1024, u32:8
ROWS(atom_1by1_1024, kAtom)
//@ red_1by1_1024 grid=264 block=256 args: zeros:4194304, u32:1, u32:1, u32:1024, u32:8
ROWS(red_1by1_1024, kRed)
//@ red_bins_32 grid=2112 block=256 args: below:540672:32, zeros:128
BINS(red_bins_32, kRed)
//@ red_bins_256 grid=2112 block=256 args: below:540672:256, zeros:1024
BINS(red_bins_256, kRed)
//@ red_bins_1024 grid=2112 block=256 args: below:540672:1024, zeros:4096
BINS(red_bins_1024, kRed)
//@ red_bins_4096 grid=2112 block=256 args: below:540672:4096, zeros:16384
BINS(red_bins_4096, kRed)
//@ red_bins_65536 grid=2112 block=256 args: below:540672:65536, zeros:262144
BINS(red_bins_65536, kRed)
//@ redf_bins_32 grid=2112 block=256 args: below:540672:32, zeros:128
BINS(redf_bins_32, kRedFloat)
//@ redf_bins_256 grid=2112 block=256 args: below:540672:256, zeros:1024
BINS(redf_bins_256, kRedFloat)
//@ redf_bins_4096 grid=2112 block=256 args: below:540672:4096, zeros:16384
BINS(redf_bins_4096, kRedFloat)
//@ atom_bins_256 grid=2112 block=256 args: below:540672:256, zeros:1024
BINS(atom_bins_256, kAtom)
//@ atom_bins_4096 grid=2112 block=256 args: below:540672:4096, zeros:16384
BINS(atom_bins_4096, kAtom)
