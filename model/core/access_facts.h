// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::model {

/// What an instruction of global memory asks of the caches, as its name says it.
enum class AccessKind : uint8_t {
  kLoad,
  kReadOnlyLoad,  ///< LDG.CI, LDG.CONSTANT
  kPastL1Load,    ///< LDG.STRONG.GPU, .CG, .CV: of what other SMs may have written
  kStore,
  kAtomic,  ///< ATOM and RED: the L2 does them
};
struct AccessFacts {
  AccessKind kind = AccessKind::kLoad;
  bool is_local = false;  ///< LDL, STL: addresses are each thread's own

  /// What other threads may see.
  bool writes() const {
    return !is_local && (kind == AccessKind::kStore || kind == AccessKind::kAtomic);
  }
};
/// `text`: of the instruction, as reports show it.
AccessFacts access_facts(const std::string& text, bool is_store);

}  // namespace shflsim::model
