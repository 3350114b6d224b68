// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config/ini.h"
#include "sweep/axis.h"

namespace shflsim::sweep {

/// What a sweep runs, as an INI file says it (docs/sweeps.md) and the command line.
struct Spec {
  std::string path;  ///< path of the sweep file; "" where the command line says all
  std::vector<model::Assignment> inputs;   ///< patterns, seen from the file's folder
  std::vector<model::Assignment> configs;  ///< none: each input's own machine
  std::vector<std::string> keep;           ///< metrics (report/run/metrics.h); none: all
  bool keeps_rows = false;                 ///< whether the figures of each instruction are kept
  double seconds = 0;                      ///< time limit of a point; 0: none
  unsigned sms = 1;                        ///< of a chip, on which each point is timed
  uint64_t memory_mib = 0;                 ///< memory limit of a point's process, MiB; 0: none
  std::vector<Axis> axes;
  std::vector<Axis> zip;  ///< take their values together, the first with the first
  std::vector<model::Assignment> excludes;  ///< conditions on points that are left out
  std::vector<model::Assignment> settings;  ///< settings for all points

  /// Keys of the axes and of the zip, in order.
  std::vector<std::string> keys() const;
};

constexpr unsigned kMostSms = 256;

/// True if the file begins with a section that is no launch's (cli/launch/launch_file.h).
bool is_spec(const std::string& path);
/// Throws InputError, a line for each fault, for anything that cannot be used.
Spec read_spec(const std::string& path);
/// Throws InputError if axes and zip do not go together: a key twice, values of several counts.
void check_axes(const Spec& spec);
/// Values of single keys as a sweep file and the options of the same meaning write them. Throw
/// InputError.
double seconds_of(const model::Assignment& assignment);
unsigned sms_of(const model::Assignment& assignment);
uint64_t memory_of(const model::Assignment& assignment);
model::Assignment setting_of(const std::string& text, const std::string& option);
/// Selects metrics, in which * and ? match any letters; "rows" selects the figures of instructions.
/// Throws InputError for an unknown metric.
void keep(const model::Assignment& list, Spec* spec);

}  // namespace shflsim::sweep
