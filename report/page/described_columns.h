// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::report {

/// A key of a report, with what `shflsim list stats` shows about it.
struct DescribedColumn {
  std::string list;  ///< "states: table, JSON; one row for each warp state"
  std::string key;
  std::string unit;
  std::string help;
};
/// All keys, list by list.
std::vector<DescribedColumn> described_columns();

}  // namespace shflsim::report
