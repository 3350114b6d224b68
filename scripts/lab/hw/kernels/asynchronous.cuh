// SPDX-License-Identifier: Apache-2.0
// Copies that go on while their warps do, and the barriers that count their bytes.
#pragma once
#include "kernel.cuh"

HERE uint32_t shared_at(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }

HERE void begin_barrier(uint64_t* b, uint32_t arrivals) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_at(b)), "r"(arrivals) : "memory");
}
HERE void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
}
HERE void arrive(uint64_t* b) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_at(b)) : "memory");
}
HERE void expect(uint64_t* b, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_at(b)), "r"(bytes)
               : "memory");
}
HERE bool try_wait(uint64_t* b, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
      : "=r"(done)
      : "r"(shared_at(b)), "r"(parity)
      : "memory");
  return done != 0;
}
HERE void wait(uint64_t* b, uint32_t parity) {
  while (!try_wait(b, parity)) {
  }
}
/// From global to shared memory; `to` and `b` are addresses of the cluster.
HERE void bulk_load(uint32_t to, const void* from, uint32_t bytes, uint32_t b) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(to),
      "l"(from), "r"(bytes), "r"(b)
      : "memory");
}
HERE void bulk_store(void* to, const void* from, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(shared_at(from)), "r"(bytes)
               : "memory");
}
HERE void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int kLeft>
HERE void wait_groups() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(kLeft) : "memory");
}
HERE void fence_async() { asm volatile("fence.proxy.async;" ::: "memory"); }
