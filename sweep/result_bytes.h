// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/core/run_result.h"

namespace shflsim::sweep {

/// A result as MessagePack: an array of each record's members, in the order of its visit. Both ends
/// are the same program. Equal results give equal bytes.
std::string bytes_of(const model::RunResult& result);
model::RunResult result_of(const std::string& bytes);

}  // namespace shflsim::sweep
