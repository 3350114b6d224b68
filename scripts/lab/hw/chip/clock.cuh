// SPDX-License-Identifier: Apache-2.0
// The number of the SM that executes this, and the low half of its clock.
#pragma once
#include <cstdint>
using u32 = uint32_t;

__device__ inline u32 sm() {
  u32 id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}
__device__ inline u32 now() {
  u32 t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory");
  return t;
}
