// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/run/document.h"

namespace shflsim::report {

/// The share of all warp-cycles in a state, at one instruction or at all: on the model, and in the
/// samples of a GPU's profiler.
struct ProfileShare {
  std::string pc;  ///< "" for a state over all instructions
  std::string text;
  std::string state;
  double model = 0;  ///< fractions
  double profile = 0;

  double difference() const { return model - profile; }
};

/// A counter of the whole run.
struct ProfileCounter {
  std::string figure;  ///< "cycles", the model's name
  std::string metric;  ///< "sm__cycles_active.max", the name in Nsight Compute
  double model = 0;
  double profile = 0;
};

/// A run compared with a profile of Nsight Compute (computed in report/diff/profile_diff.h).
struct ProfileDiff {
  std::string path;
  std::string kernel;              ///< the profile's name for it; "" if it has none
  size_t launches = 1;             ///< launches of this kernel, of which the first is compared
  size_t aligned = 0;              ///< instructions
  uint64_t samples = 0;            ///< 0 if the profile has none
  bool is_of_repeated = false;     ///< only instructions that issue more than once per warp
  std::optional<double> by_state;  ///< distances: half the sum of the differences of shares
  std::optional<double> by_instruction;
  std::vector<ProfileShare> states;        ///< the greatest differences first
  std::vector<ProfileShare> instructions;  ///< likewise
  std::vector<ProfileCounter> counters;
};

/// "model" and "profile" of each share and counter, for a member of a run's JSON.
Json profile_json(const ProfileDiff& diff);
/// Writes the comparison as text; `top`: number of instructions shown.
void write_profile(std::ostream& out, const ProfileDiff& diff, size_t top);

}  // namespace shflsim::report
