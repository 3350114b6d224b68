// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/run_result.h"

namespace shflsim::model {

/// What a policy sees of the warps of a sub-partition. Bit n of a mask is warp slot n.
struct IssueCandidates {
  uint32_t eligible = 0;             ///< not 0
  unsigned last = 0;                 ///< slot that issued last
  bool last_yields = false;          ///< its control bits ask for another warp
  const std::vector<uint64_t>* age;  ///< by slot: order in which the warps came; smaller is older
};

/// Chooses the warp that issues among those that can.
class SchedulingPolicy {
 public:
  virtual ~SchedulingPolicy() = default;
  /// A slot of `candidates.eligible`.
  virtual unsigned choose(const IssueCandidates& candidates) = 0;
};

/// The policies there are, by name; each registers itself from its own file.
class SchedulingPolicies {
 public:
  struct Entry {
    std::string help;
    std::function<std::unique_ptr<SchedulingPolicy>()> make;
  };
  template <class Policy>
  static bool add(const char* name, const char* help) {
    table()[name] = {help, [] { return std::make_unique<Policy>(); }};
    return true;
  }
  static std::map<std::string, Entry>& table();
  static std::vector<std::string> names();
};

}  // namespace shflsim::model
