// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/launch_shape.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// Choices of the user for what a trace leaves open.
struct TraceChoice {
  std::string kernel;                      ///< one of several kernels; "": there is only one
  std::string unknown_lanes = "identity";  ///< traces/accel_sim/unknown_lanes.h
};

/// A format of trace files. To add a format, write a file that defines a TraceFormat and registers
/// it; the build finds the file.
struct TraceFormat {
  const char* name;
  const char* help;
  /// Decides by the content of the file, which exists and is not a folder.
  bool (*recognises)(const std::string& path);
  /// Names of the kernels in the file.
  std::vector<std::string> (*kernels)(const std::string& path);
  /// Opens one launch, whose steps may be read on demand. Throws InputError.
  Trace (*open)(const std::string& path, const TraceChoice& choice, LaunchShape* shape);
  bool leaves_lanes_open = false;  ///< TraceChoice::unknown_lanes applies
  bool is_list = false;            ///< a list of launches, which can be run one by one
};

/// All formats by name; each registers itself in its own file:
///   const bool registered = TraceFormats::add({"shft", ...});
class TraceFormats {
 public:
  static bool add(const TraceFormat& format);
  static const std::vector<TraceFormat>& all();
  /// The format that recognises the file; nullptr if none does.
  static const TraceFormat* of_file(const std::string& path);
};

}  // namespace shflsim::traces
