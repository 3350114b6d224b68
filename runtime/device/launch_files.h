// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device/heap.h"
#include "runtime/device/launcher.h"

namespace shflsim::runtime {

/// Writes the launches of a program into a folder. Each has a launch file (docs/launch.md), its
/// code, and the buffers that it accesses, at their device addresses: their contents before the
/// launch and, if it changes them, after it. Equal contents share a file. Every call throws
/// InputError if a file cannot be written.
class LaunchFiles {
 public:
  explicit LaunchFiles(std::string folder) : folder_(std::move(folder)) {}

  /// Stores the contents of the program's memory before a launch.
  void keep(const Heap& heap, isa::DeviceMemory& memory);
  /// Writes the launch that ran since keep(); returns the name of its launch file in the folder.
  std::string write(const Kernel& kernel, const LaunchSpec& spec, const Launched& done,
                    const isa::DeviceMemory& memory);

 private:
  /// The content of an allocation.
  struct Content {
    std::optional<uint8_t> fill;  ///< the value of all bytes, if they are equal
    std::vector<uint8_t> bytes;   ///< empty if `fill` is set
  };
  struct Kept {
    Allocation allocation;
    Content content;
  };
  static Content content_of(const Allocation& allocation);
  std::string file_of(std::string_view content, const char* ending);
  std::string file_of(const std::vector<uint8_t>& bytes);
  std::string code_of(const Module& module);
  std::string buffer_of(const Kept& kept);
  std::string argument_of(const isa::Program::Parameter& parameter, const LaunchSpec& spec);
  std::string launch_text(const Kernel& kernel, const LaunchSpec& spec, const Launched& done);
  std::string write_numbered(const std::string& text);

  std::string folder_;
  std::vector<Kept> kept_;                 ///< buffers before the launch
  std::map<uint64_t, std::string> names_;  ///< names of the launch's buffers, by address
  std::set<std::string> written_;          ///< names of written files
  unsigned launches_ = 0;
};

}  // namespace shflsim::runtime
