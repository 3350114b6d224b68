// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/core/cycle.h"
#include "model/core/parameter.h"
#include "model/core/slot_mask.h"

namespace shflsim::model {

/// What a policy knows about the warps of a sub-partition.
struct IssueCandidates {
  SlotMask eligible = 0;                     ///< not 0
  unsigned last = 0;                         ///< slot that issued last
  bool last_yields = false;                  ///< its control bits ask to yield
  Cycle last_ago = 0;                        ///< issue cycles since then; 1: the previous one
  std::array<uint64_t, kMostSlots> age{};    ///< order in which the warps started; smaller is older
  SlotMask issued = 0;                       ///< warps that have issued
  std::array<uint32_t, kMostSlots> block{};  ///< block of the warp; smaller started first
  SlotMask oldest = ~SlotMask{0};            ///< warps of the block that started first

  /// The eligible warps of the block that started first.
  SlotMask of_oldest_block() const {
    const SlotMask known = eligible & oldest;
    return known != 0 ? known : of_oldest_block_among(eligible);
  }
  SlotMask of_oldest_block_among(SlotMask slots) const;
};

/// Chooses the warp that issues.
class SchedulingPolicy {
 public:
  /// `greedy`, `stateless`: see is_greedy and is_stateless.
  explicit SchedulingPolicy(bool greedy = false, bool stateless = false)
      : is_greedy(greedy), is_stateless(stateless) {}
  virtual ~SchedulingPolicy() = default;
  /// Returns a slot of `candidates.eligible`.
  virtual unsigned choose(const IssueCandidates& candidates) = 0;

  /// True if choose() returns the warp that issued in the previous issue cycle whenever it is
  /// eligible and does not yield; then choose() need not be called.
  const bool is_greedy;
  /// True if a choice depends on the candidates alone; then choose() need not be called for one.
  const bool is_stateless;
};

/// A kind of policy with the parameters from the config.
class PolicyDesign {
 public:
  virtual ~PolicyDesign() = default;
  virtual void list(ParameterList& list) = 0;
  virtual std::unique_ptr<SchedulingPolicy> make(unsigned sub_partition) const = 0;
};

/// All policies by name. A policy's file registers itself:
///   const bool registered = SchedulingPolicies::add<TwoLevel>("two_level", "takes...");
/// Its class has a nested `Params` with `void list(ParameterList&)` for the keys
/// "scheduler.NAME.key" and is constructed from `(const Params&, unsigned sub_partition)`.
class SchedulingPolicies {
 public:
  struct Entry {
    std::string help;
    std::function<std::unique_ptr<PolicyDesign>()> design;
  };

  template <class Policy>
  static bool add(const char* name, const char* help) {
    table()[name] = {help, [] { return std::make_unique<DesignOf<Policy>>(); }};
    return true;
  }
  static std::map<std::string, Entry>& table();
  static std::vector<std::string> names();

 private:
  template <class Policy>
  class DesignOf : public PolicyDesign {
   public:
    void list(ParameterList& list) override { params_.list(list); }
    std::unique_ptr<SchedulingPolicy> make(unsigned sub_partition) const override {
      return std::make_unique<Policy>(params_, sub_partition);
    }

   private:
    typename Policy::Params params_;
  };
};

/// The policy that a config chooses (`scheduler.policy`), and the parameters of all policies.
class PolicyChoice {
 public:
  PolicyChoice();
  PolicyChoice(const PolicyChoice&) = delete;  // a ParameterList points into it
  PolicyChoice& operator=(const PolicyChoice&) = delete;

  void list(ParameterList& list);
  /// The chosen policy, for one sub-partition.
  std::unique_ptr<SchedulingPolicy> make(unsigned sub_partition) const {
    return designs_.at(policy_)->make(sub_partition);
  }

 private:
  std::string policy_;
  std::map<std::string, std::unique_ptr<PolicyDesign>> designs_;
};

struct SchedulerParams {
  PolicyChoice policy;
  uint32_t dual_issue = 0;

  void list(ParameterList& out) {
    policy.list(out);
    out.flag("scheduler.dual_issue", &dual_issue,
             "1: a pair marked by issue code 16 may issue in one cycle");
  }
};

}  // namespace shflsim::model
