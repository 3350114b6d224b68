// SPDX-License-Identifier: Apache-2.0
// Memory fences: SCOPE_none, _four of them, behind a _store, four _stores or an _atomic, and the same
// long after these (_late_); and what compilers make of acquire and release.
#include "passes.cuh"
#define GPU __threadfence();
#define SYS __threadfence_system();
#define BLOCK __threadfence_block();
#define STORE(i) out[threadIdx.x + 256 * (i)] = r;
#define ATOMIC(order) { uint32_t old; asm volatile("atom." #order ".gpu.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(out + threadIdx.x) : "memory"); x += old; }
#define LATE { float z = x; _Pragma("unroll") for (int i = 0; i < 400; ++i) z = z * z + 1.5f; x += z == 3.0f; } \
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t0) :: "memory");
PRE gpu_none ARGS { HEAD GPU TAIL
PRE gpu_four ARGS { HEAD GPU GPU GPU GPU TAIL
PRE gpu_store ARGS { HEAD STORE(0) GPU TAIL
PRE gpu_stores ARGS { HEAD STORE(0) STORE(1) STORE(2) STORE(3) GPU TAIL
PRE gpu_late_store ARGS { HEAD STORE(0) LATE GPU TAIL
PRE gpu_late_atomic ARGS { HEAD ATOMIC(relaxed) LATE GPU TAIL
PRE gpu_store_two ARGS { HEAD STORE(0) GPU GPU TAIL
PRE sys_none ARGS { HEAD SYS TAIL
PRE sys_four ARGS { HEAD SYS SYS SYS SYS TAIL
PRE sys_store ARGS { HEAD STORE(0) SYS TAIL
PRE block_none ARGS { HEAD BLOCK TAIL
PRE block_store ARGS { HEAD STORE(0) BLOCK TAIL
PRE atomic_relaxed ARGS { HEAD ATOMIC(relaxed) TAIL
PRE atomic_acquire ARGS { HEAD ATOMIC(acquire) TAIL
PRE atomic_release ARGS { HEAD ATOMIC(release) TAIL
PRE load_acquire ARGS { HEAD uint32_t old; asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(old) : "l"(out + threadIdx.x) : "memory"); x += old; TAIL
PRE store_release ARGS { HEAD asm volatile("st.release.gpu.global.u32 [%0], %1;" :: "l"(out + threadIdx.x), "r"(r) : "memory"); TAIL
