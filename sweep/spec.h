// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config/ini.h"
#include "sweep/axis.h"

namespace shflsim::sweep {

/// What a sweep runs, from an INI file (docs/sweeps.md) and the command line.
struct Spec {
  std::string path;                        ///< path of the sweep file; "" if there is none
  std::vector<model::Assignment> inputs;   ///< patterns, relative to the file's folder
  std::vector<model::Assignment> configs;  ///< none: each input's own machine
  std::vector<std::string> keep;           ///< metrics (report/run/metrics.h); none: all
  bool keeps_rows = false;                 ///< true: the figures of each instruction are stored
  double seconds = 0;                      ///< time limit of a point; 0: none
  unsigned sms = 1;                        ///< SMs of the chip that times each point
  uint64_t memory_mib = 0;                 ///< memory limit of a point's process, MiB; 0: none
  std::vector<Axis> axes;
  std::vector<Axis> zip;                    ///< axes that vary together, value by value
  std::vector<model::Assignment> excludes;  ///< conditions on points that are left out
  std::vector<model::Assignment> settings;  ///< settings for all points

  /// Keys of the axes and of the zip, in order.
  std::vector<std::string> keys() const;
};

constexpr unsigned kMostSms = 256;

/// True if the file begins with a section that is not of a launch (cli/launch/launch_file.h).
bool is_spec(const std::string& path);
/// Throws InputError, with a line for each fault, for an invalid file.
Spec read_spec(const std::string& path);
/// Throws InputError if axes and zip conflict: a repeated key, or zip axes of different lengths.
void check_axes(const Spec& spec);
/// Values of single keys, as sweep files and the corresponding options write them. Throw
/// InputError.
double seconds_of(const model::Assignment& assignment);
unsigned sms_of(const model::Assignment& assignment);
uint64_t memory_of(const model::Assignment& assignment);
model::Assignment setting_of(const std::string& text, const std::string& option);
/// Selects the metrics to store; * and ? match any letters, and "rows" selects the figures of
/// instructions. Throws InputError for an unknown metric.
void keep(const model::Assignment& list, Spec* spec);

}  // namespace shflsim::sweep
