// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "isa/machine/machine.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Uses of undefined values, one for each instruction, block, warp and text: a use in a loop is
/// reported once, with the lanes of all iterations.
class FindingList {
 public:
  void add(const isa::UndefinedUse& use);
  /// By block and warp; those of a warp in the order of their occurrence.
  std::vector<Finding> all() const;

 private:
  std::vector<Finding> all_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, std::string>, size_t> known_;
};

}  // namespace shflsim::traces
