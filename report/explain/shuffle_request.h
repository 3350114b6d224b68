// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/explain/explain.h"

namespace shflsim::report {

/// A SHFL to explain, as the user writes it: the arguments of `shflsim explain`.
struct ShuffleRequest {
  std::string text;  ///< SHFL.IDX P0, R1, R0, R2, 0x1f
  isa::Arch arch = isa::Arch::kSm50;
  std::string lanes = "0xffffffff";        ///< mask of the executing lanes
  std::optional<std::string> sb = {};      ///< index register (report/explain/lane_pattern.h)
  std::optional<std::string> sc = {};      ///< clamp register (report/explain/lane_pattern.h)
  std::vector<std::string> networks = {};  ///< requested networks; all if there are none
};

/// Reads {"text": ..., "arch": ..., "lanes": ..., "sb": ..., "sc": ..., "networks": [...]}; only
/// the text is required. Throws InputError.
ShuffleRequest shuffle_request(const std::string& json);

/// These functions throw InputError for invalid requests.
ExplainedShuffle explained(const ShuffleRequest& request);
std::vector<std::string> networks_of(const ShuffleRequest& request);
/// The complete explanation, as `explain --format json` prints it.
Document explanation(const ShuffleRequest& request, const model::NetworkChoice& choice);

}  // namespace shflsim::report
