// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shflsim::runtime {

/// What `shflsim exec` tells the CUDA runtime library in the process of the program, by the
/// environment variable kVariable.
struct ExecOptions {
  static constexpr const char* kVariable = "SHFLSIM_EXEC";
  /// Warp instructions of one launch before it is taken for endless.
  static constexpr uint64_t kStepLimit = uint64_t{1} << 36;

  /// Config of the machine for code of each architecture's number.
  std::map<unsigned, std::string> machines;
  std::string config;  ///< machine that the user chose; "" where the code's own is taken
  unsigned arch = 0;   ///< number of the architecture that the user chose; 0: the newest
  std::vector<std::string> settings;  ///< KEY=VALUE over the machine
  unsigned sms = 1;
  bool has_timing = true;
  uint64_t step_limit = kStepLimit;
  std::string rows;    ///< file that takes a line for each launch
  std::string record;  ///< folder that takes each launch; "": none

  std::string text() const;
  /// What the environment of this process says; none outside of `shflsim exec`.
  static std::optional<ExecOptions> of_environment();
};

}  // namespace shflsim::runtime
