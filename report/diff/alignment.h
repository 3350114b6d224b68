// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace shflsim::report {

/// For each text of `a`, its place in `b`: of a longest common subsequence, so that nothing
/// crosses. Takes time by the product of what the two do not begin and end with alike, and memory
/// by its sum.
std::vector<std::optional<size_t>> aligned(const std::vector<std::string>& a,
                                           const std::vector<std::string>& b);

}  // namespace shflsim::report
