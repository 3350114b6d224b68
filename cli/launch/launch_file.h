// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/options/spec.h"
#include "isa/machine/machine.h"

namespace shflsim::cli {

/// A series of launches, described by an INI file. `code = PATH` before the first section names the
/// kernels' file; each [launch] section has the keys
///   kernel   name in the file; needed if the file has several
///   code     another file, for this launch
///   arch     the architecture to use, if the file has code for several
///   grid, block   X, X,Y or X,Y,Z (default 1 and 32)
///   buffers  NAME=file:PATH or NAME=fill:..., separated by commas: buffers to which structures
///            point; NAME@ADDRESS= puts a buffer at this device address
///   variables, constants   NAME: the buffer that holds the code's __device__ variables, and the
///            one with its __constant__ variables (constant bank 3), in place of first values
///   args     arguments, separated by commas: what --arg takes. A name is known to later launches
///   shared   bytes of dynamic shared memory
///   save     BUFFER:PATH, separated by commas: write the buffer after the launch
///   expect   BUFFER:PATH, separated by commas: the buffer must then equal the file
/// Paths are relative to the launch file. # and ; begin comments.
struct LaunchStep {
  unsigned line = 0;  ///< line of "[launch]"
  std::string kernel;
  std::string code;
  std::string architecture;
  isa::Extent grid;
  isa::Extent block{isa::kLanes, 1, 1};
  std::vector<std::string> buffers;
  std::vector<std::string> arguments;
  std::string variables;  ///< name of a buffer; "": the initial values in the code
  std::string constants;  ///< as `variables`
  uint32_t shared_bytes = 0;
  isa::Extent cluster;
  bool is_cooperative = false;
  std::vector<Pair> saves;    ///< buffer, path
  std::vector<Pair> expects;  ///< buffer, path
};

struct LaunchFile {
  std::string path;
  std::vector<LaunchStep> steps;

  /// `name` as seen from the launch file's folder.
  std::string beside(const std::string& name) const;
};

/// Throws InputError, with file and line, for a file that cannot be used.
LaunchFile read_launch_file(const std::string& path);

}  // namespace shflsim::cli
