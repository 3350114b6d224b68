// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shflsim::fuzz {

/// A .shft file taken apart, so that a change gets behind its checksums, sizes and offsets.
struct ShftParts {
  struct Segment {
    uint64_t warp = 0;  ///< less that of the segment before, as the index has it
    uint64_t steps = 0;
    uint64_t bytes = 0;
  };
  struct Steps {
    std::vector<Segment> segments;
    std::string raw;
  };
  std::string preamble;
  std::string program;  ///< raw
  std::vector<Steps> sections;
  std::string head;  ///< of the index, in front of what it says of the sections
};

/// Nothing if the file is too damaged to be taken apart.
std::optional<ShftParts> parts_of(std::string_view file);

/// A file that is whole but for what the parts themselves say.
std::string file_of(const ShftParts& parts);

}  // namespace shflsim::fuzz
