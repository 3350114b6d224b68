// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/core/run_result.h"

namespace shflsim::sweep {

/// A result as MessagePack: an array of the members of each record, in the order of its visit. Only
/// the same program reads it. Equal results give equal bytes.
std::string bytes_of(const model::RunResult& result);
model::RunResult result_of(const std::string& bytes);

}  // namespace shflsim::sweep
