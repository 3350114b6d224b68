// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace shflsim::model {

/// What a policy sees of the warps of a sub-partition. Bit n of a mask is warp slot n.
struct IssueCandidates {
  uint32_t eligible = 0;             ///< not 0
  unsigned last = 0;                 ///< slot that issued last
  bool last_yields = false;          ///< its control bits ask for another warp
  bool last_adjacent = false;        ///< it did so in the issue cycle just before this one
  const std::vector<uint64_t>* age;  ///< by slot: order in which the warps came; smaller is older
  const std::vector<uint64_t>* last_issue;  ///< by slot: cycle after its last issue, 0: none yet
};

struct PolicyParams {
  uint32_t pool = 0;
  uint32_t seed = 0;
  unsigned sub_partition = 0;
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
    std::function<std::unique_ptr<SchedulingPolicy>(const PolicyParams&)> make;
  };
  template <class Policy>
  static bool add(const char* name, const char* help) {
    table()[name] = {help, [](const PolicyParams& params) {
                       if constexpr (std::is_constructible_v<Policy, const PolicyParams&>)
                         return std::make_unique<Policy>(params);
                       else
                         return (void)params, std::make_unique<Policy>();
                     }};
    return true;
  }
  static std::map<std::string, Entry>& table();
  static std::vector<std::string> names();
};

}  // namespace shflsim::model
