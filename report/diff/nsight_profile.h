// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shflsim::report {

/// A launch in a CSV file of Nsight Compute: of its source page (`ncu --page source --csv`, SASS or
/// CUDA and SASS) or of its raw page (`ncu --page raw --csv`). Columns are named as in its versions
/// of 2022 to 2026, or as in `shflsim run --view ncu:FILE`.
struct NsightProfile {
  using Samples = std::vector<std::pair<std::string, double>>;  ///< by state, as the model names it
  struct Line {
    unsigned row = 0;      ///< row of the file
    uint64_t address = 0;  ///< as loaded on the GPU
    std::string text;
    double issued = 0;
    Samples samples;
  };
  struct Counter {
    std::string metric;
    double value = 0;  ///< in units without a prefix
  };
  std::string kernel;             ///< "" if the file does not name it
  unsigned row = 0;               ///< row of the file
  std::vector<Line> lines;        ///< of a source page
  std::vector<Counter> counters;  ///< of a raw page
};

/// The launches in the file, in its order, at least one. Throws InputError with line and column.
std::vector<NsightProfile> read_nsight(const std::string& path);

/// The warp state, as the model names it, that a metric of a raw page counts; "" if none.
std::string nsight_state(const std::string& metric);

/// True if the file may be a profile: it has commas and does not begin like JSON. Throws
/// InputError.
bool may_be_nsight(const std::string& path);

}  // namespace shflsim::report
