// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shflsim::fuzz {

/// A .shft file taken apart, so that changes are not stopped by checksums, sizes and offsets.
struct ShftParts {
  struct Segment {
    uint64_t warp = 0;  ///< difference from the previous segment's warp, as in the index
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
  std::string head;  ///< of the index, before its description of the sections
};

/// No value if the file is too damaged to be taken apart.
std::optional<ShftParts> parts_of(std::string_view file);

/// A file that is consistent except for the content of the parts.
std::string file_of(const ShftParts& parts);

}  // namespace shflsim::fuzz
