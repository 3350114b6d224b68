// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/run/document.h"

namespace shflsim::report {

/// Of all warp-cycles, those in a state, at an instruction or anywhere: on the model, and of the
/// samples of a GPU's profiler.
struct ProfileShare {
  std::string pc;  ///< "" of a state over all instructions
  std::string text;
  std::string state;
  double model = 0;  ///< fractions
  double profile = 0;

  double difference() const { return model - profile; }
};

/// A figure of the whole run.
struct ProfileCounter {
  std::string figure;  ///< "cycles", as the model calls it
  std::string metric;  ///< "sm__cycles_active.max", as Nsight Compute does
  double model = 0;
  double profile = 0;
};

/// A run beside a profile of Nsight Compute (computed in report/diff/profile_diff.h).
struct ProfileDiff {
  std::string path;
  std::string kernel;              ///< as the profile names it; "" where it does not
  size_t launches = 1;             ///< of that name in the profile, of which the first is compared
  size_t aligned = 0;              ///< instructions
  uint64_t samples = 0;            ///< 0 if the profile has none
  bool is_of_repeated = false;     ///< only what issues more often than once a warp is compared
  std::optional<double> by_state;  ///< distances: half the sum of the differences of shares
  std::optional<double> by_instruction;
  std::vector<ProfileShare> states;        ///< what differs most first
  std::vector<ProfileShare> instructions;  ///< likewise
  std::vector<ProfileCounter> counters;
};

/// "model" and "profile" of each share and counter, as a member of a run's JSON.
Json profile_json(const ProfileDiff& diff);
/// For reading; `top`: instructions shown.
void write_profile(std::ostream& out, const ProfileDiff& diff, size_t top);

}  // namespace shflsim::report
