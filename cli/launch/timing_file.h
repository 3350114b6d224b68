// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/region.h"

namespace shflsim::cli {

/// Least, median and greatest of repeated measurements, in cycles.
struct Measured {
  double least = 0;
  double median = 0;
  double most = 0;
};

/// One line of a timing file: `kernel,[note,[placement,]]warps` and least, median, most of the span
/// (first clock read of any warp to the last of any) and of the median warp's time.
struct TimingRow {
  std::string kernel;
  bool has_note = true;  ///< false: the kernel is executed (cli/launch/timed_launch.h)
  std::string note;      ///< how the lanes spread over shared memory
  bool one_sub_partition = false;
  uint32_t warps = 1;
  Measured span;
  Measured warp;

  /// True if each sub-partition has at most one warp.
  bool is_spread_thin() const { return one_sub_partition ? warps == 1 : warps <= 4; }
};

/// Reads a timing file of any form, by its heading. Throws InputError with file and line.
std::vector<TimingRow> read_timing_file(const std::string& path);

/// `kernel,register,pattern` lines: patterns of address registers, by kernel. Throws InputError.
std::map<std::string, std::map<int, traces::SharedPattern>> read_bases_file(
    const std::string& path);

}  // namespace shflsim::cli
