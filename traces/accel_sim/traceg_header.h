// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/machine/machine.h"
#include "traces/accel_sim/text_lines.h"
#include "traces/accel_sim/words.h"

namespace shflsim::traces {

/// What stands in a line of an instruction besides what all tracers write.
struct TracegForm {
  unsigned places = 0;            ///< before version 3: 4, the block's coordinates and the warp
  bool has_source_lines = false;  ///< -enable lineinfo = 1
  bool has_values = false;        ///< version 6: two immediates, and values of registers or NoVal

  unsigned words_before_pc() const { return places + (has_source_lines ? 1 : 0); }
};

/// The header of a kernel trace, lines `-key = value`. What reads a value throws InputError with
/// the line and column of the value.
class TracegHeader {
 public:
  /// Reads the header and the line after it. Throws InputError for a line that is not a header
  /// line, and if a necessary line is missing.
  explicit TracegHeader(TextLines* lines);

  /// The lines by key: "kernel name", "grid dim", ...
  std::map<std::string, std::string> values() const;
  /// Lines of the header that are not known.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::string& kernel_name() const { return lines_.at("kernel name").value; }
  const isa::Extent& grid() const { return grid_; }
  const isa::Extent& block() const { return block_; }
  const TracegForm& form() const { return form_; }
  /// True for a chip before Volta; an unknown chip counts as a later one.
  bool is_before_volta() const;
  /// A number that the run does not need: 0, and a further warning, if it is missing or out of
  /// range. `what` names it.
  uint64_t limit(const std::string& key, uint64_t most, const std::string& what,
                 std::vector<std::string>* warnings) const;

 private:
  static constexpr uint64_t kVersionWithoutPlaces = 3;
  static constexpr uint64_t kVersionWithValues = 6;
  struct Line {
    std::string value;
    unsigned number = 0;
    unsigned column = 0;  ///< column of the value
  };
  void add(std::string_view line, unsigned number);
  void read_version();
  isa::Extent extent(const std::string& key, uint64_t most_count, const char* what) const;
  Words words(const std::string& key) const;
  [[noreturn]] void fail(const std::string& key, const std::string& what) const;

  const std::string path_;
  std::map<std::string, Line> lines_;
  std::vector<std::string> warnings_;
  isa::Extent grid_;
  isa::Extent block_;
  TracegForm form_;
};

}  // namespace shflsim::traces
