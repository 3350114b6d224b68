// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "cli/options/machine_choice.h"

namespace shflsim::cli {

/// What `explain` explains besides a SHFL: a warp state, a reported figure, a parameter.
struct ExplainTopic {
  const char* name;
  /// Explains a name; for a parameter also its range and, on the chosen machine, its value and the
  /// value's source. Throws InputError, with the nearest name, for an unknown name.
  void (*explain)(std::ostream& out, const std::string& name, const MachineChoice& machine);
};
/// The topic with this name, nullptr if there is none.
const ExplainTopic* explain_topic(const std::string& word);

}  // namespace shflsim::cli
