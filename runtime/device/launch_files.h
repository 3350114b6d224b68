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

/// Writes the launches of a program into a folder: for each a launch file (docs/launch.md) with the
/// code, and with the buffers that the launch accesses at their device addresses, as they were
/// before it and, where it changes them, as they are after it. Files of the same bytes are one.
/// Every call throws InputError if a file cannot be written.
class LaunchFiles {
 public:
  explicit LaunchFiles(std::string folder) : folder_(std::move(folder)) {}

  /// Keeps what the program's memory holds before a launch.
  void keep(const Heap& heap, isa::DeviceMemory& memory);
  /// Writes the launch that was done since then; returns the launch file's name in the folder.
  std::string write(const Kernel& kernel, const LaunchSpec& spec, const Launched& done,
                    const isa::DeviceMemory& memory);

 private:
  /// What an allocation holds.
  struct Content {
    std::optional<uint8_t> fill;  ///< value of all bytes, where they are the same
    std::vector<uint8_t> bytes;   ///< empty there
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
  std::vector<Kept> kept_;                 ///< of the launch
  std::map<uint64_t, std::string> names_;  ///< of its buffers, by address
  std::set<std::string> written_;          ///< files of bytes and code
  unsigned launches_ = 0;
};

}  // namespace shflsim::runtime
