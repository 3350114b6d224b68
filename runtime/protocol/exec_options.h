// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shflsim::runtime {

/// Options of `shflsim exec` for the CUDA runtime library in the program's process, passed in the
/// environment variable kVariable.
struct ExecOptions {
  static constexpr const char* kVariable = "SHFLSIM_EXEC";
  /// A launch with more warp instructions counts as endless.
  static constexpr uint64_t kStepLimit = uint64_t{1} << 36;

  /// Config of the machine for each architecture, by its number.
  std::map<unsigned, std::string> machines;
  std::string config;  ///< machine that the user chose; "": the code's own
  unsigned arch = 0;   ///< number of the architecture that the user chose; 0: the newest
  std::vector<std::string> settings;  ///< KEY=VALUE settings of the machine
  unsigned sms = 1;
  bool has_timing = true;
  uint64_t step_limit = kStepLimit;
  std::string rows;    ///< file to which each launch adds a line
  std::string record;  ///< folder in which launches are recorded; "": none

  std::string text() const;
  /// The options in this process's environment; none outside of `shflsim exec`.
  static std::optional<ExecOptions> of_environment();
};

}  // namespace shflsim::runtime
