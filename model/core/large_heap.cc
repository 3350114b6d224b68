// SPDX-License-Identifier: Apache-2.0
#include "model/core/large_heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

namespace shflsim::model {

void expect_on_heap(size_t bytes) {
  constexpr size_t kPiece = size_t{16} << 20;
  constexpr uintptr_t kPage = 4096;
  mallopt(M_MMAP_THRESHOLD, 2 * kPiece);  // otherwise a piece would not be a part of the heap
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  std::vector<void*> pieces;
  for (size_t taken = 0; taken < bytes; taken += kPiece) {
    void* const piece = std::malloc(kPiece);
    if (piece == nullptr) break;
    pieces.push_back(piece);
  }
  if (pieces.empty()) return;
  const uintptr_t first = (reinterpret_cast<uintptr_t>(pieces.front()) + kPage - 1) & ~(kPage - 1);
  const uintptr_t end = reinterpret_cast<uintptr_t>(sbrk(0)) & ~(kPage - 1);
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
  for (void* const piece : pieces) std::free(piece);
}

}  // namespace shflsim::model
