// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/launch_shape.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// What the user says of a trace that it leaves open itself.
struct TraceChoice {
  std::string kernel;  ///< kernel to be taken from several; "": there is only one
  std::string unknown_lanes = "identity";  ///< traces/accel_sim/unknown_lanes.h
};

/// A way of writing traces down. To add one, write a file that defines and registers a TraceFormat,
/// and list the file in CMakeLists.txt.
struct TraceFormat {
  const char* name;
  const char* help;
  /// By the file's content. The file is there and no folder.
  bool (*recognises)(const std::string& path);
  /// Names of the kernels whose launches it holds.
  std::vector<std::string> (*kernels)(const std::string& path);
  /// Opens one launch, whose steps may be read while they are looked at. Throws InputError.
  Trace (*open)(const std::string& path, const TraceChoice& choice, LaunchShape* shape);
  bool leaves_lanes_open = false;  ///< TraceChoice::unknown_lanes says something
  bool is_list = false;  ///< names several launches, which can be taken one after the other
};

/// The formats there are, by name; each registers itself from its own file:
///   const bool registered = TraceFormats::add({"shft", ...});
class TraceFormats {
 public:
  static bool add(const TraceFormat& format);
  static const std::vector<TraceFormat>& all();
  /// The one that recognises the file; nullptr if none does.
  static const TraceFormat* of_file(const std::string& path);
};

}  // namespace shflsim::traces
