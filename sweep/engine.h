// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/config/config.h"
#include "report/run/metrics.h"
#include "sweep/grid.h"
#include "sweep/processes.h"
#include "traces/trace.h"

namespace shflsim::sweep {

/// An input of a sweep: code with its launch, or a trace.
struct Input {
  std::string label;                 ///< FILE or FILE:KERNEL
  std::vector<std::string> kernels;  ///< names of the launched kernels
  std::string machine;               ///< shipped machine that suits the code
  std::vector<std::string> files;    ///< files that it is read from
  std::string digest;                ///< digest of the files' contents
  std::string arguments;             ///< options of the launch: "--block 64"
  std::string command;               ///< arguments of `shflsim run`: "scan.sass --block 64"
  /// The traces of its launches, in order. Throws InputError.
  std::function<std::vector<traces::Trace>()> open;
};

/// A sweep with everything that the results of its points depend on.
struct Sweep {
  const Spec& spec;
  const std::vector<Input>& inputs;
  const std::map<std::string, model::ConfigLayers>& configs;  ///< by Grid::config
  const Grid& grid;
};
/// The input of a point, and the launch within that input.
struct Place {
  size_t input = 0;
  size_t launch = 0;
};
Place place_of(const Sweep& sweep, size_t number);
/// The config of a point, with all settings.
model::ConfigLayers layers_of(const Sweep& sweep, size_t number);
/// The metrics that a sweep stores, in the order of report::metrics().
std::vector<const report::Field<report::Measured>*> kept_metrics(const Spec& spec);

/// How a point ended.
enum class PointState : char {
  kDone,
  kInvalid,      ///< its values do not go together, its block does not fit, or its code fails
  kDeadlock,     ///< the model found no further progress
  kTimeout,      ///< it took longer than Spec::seconds
  kOutOfMemory,  ///< it needs more than Spec::memory_mib
  kCrashed,      ///< its process ended
};
/// "done", "invalid", "deadlock", "timeout", "out_of_memory", "crashed"
const char* state_name(PointState state);

/// The result of a point.
struct Point {
  PointState state = PointState::kDone;
  std::string reason;                  ///< "" for kDone
  double seconds = 0;                  ///< host time of the simulation alone
  std::vector<report::Value> metrics;  ///< by kept_metrics(); empty unless kDone
  std::vector<std::string> rows;       ///< JSON objects of its instructions; empty if not kept
};

/// Runs points of the grid, given by ascending numbers, in `processes` processes. Each input is
/// executed or opened once, and in this process if several points share it; memory limits how many
/// are open at a time. `take` receives each point as it ends, in no particular order. The set of
/// points that run does not depend on `processes`. Throws model::Interrupted if a signal asks to
/// stop, and InputError if the file of an input has changed.
void run_points(const Sweep& sweep, const std::vector<size_t>& numbers, unsigned processes,
                const std::function<void(size_t number, Point point)>& take);

/// A digest of the contents of files: 128 bits, hexadecimal. Throws InputError.
std::string digest_of_files(const std::vector<std::string>& files);
std::string digest_of(const std::string& text);

}  // namespace shflsim::sweep
