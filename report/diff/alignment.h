// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace shflsim::report {

/// For each text of `a`, its index in `b` in a longest common subsequence. Apart from the common
/// beginning and end of the two, time is proportional to the product of their lengths, and memory
/// to the sum.
std::vector<std::optional<size_t>> aligned(const std::vector<std::string>& a,
                                           const std::vector<std::string>& b);

}  // namespace shflsim::report
