// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shflsim::runtime {

/// The runtime library's report of one launch.
struct LaunchRow {
  std::string kernel;  ///< name in the code
  std::string machine;
  std::array<uint32_t, 3> grid{};
  std::array<uint32_t, 3> block{};
  uint32_t shared_bytes = 0;  ///< dynamic shared memory
  uint64_t warp_instructions = 0;
  std::optional<uint64_t> cycles;  ///< none if the launch was not timed
  double clock_mhz = 0;            ///< of the machine
  std::string launch_file;         ///< file that it was recorded in; "" if none
  std::string remark;              ///< why it was not timed, or why it ended early

  double microseconds() const {
    return cycles && clock_mhz > 0 ? static_cast<double>(*cycles) / clock_mhz : 0;
  }

  /// One line of JSON, without the line's end.
  std::string text() const;
  /// All rows of a file, without lines that are cut off: a program may be killed.
  static std::vector<LaunchRow> read(const std::string& path);
};

}  // namespace shflsim::runtime
