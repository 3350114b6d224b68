// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/machine/machine.h"

namespace shflsim::cli {

/// Values as the command line and launch files write them. Every function throws InputError that
/// begins with `option`, the text that the user wrote ("--grid").

/// A decimal or 0x hexadecimal number without a sign (whole_number of isa/base/bounded.h).
uint64_t read_number(const std::string& text, uint64_t most, const std::string& option);
/// A number from `least` to `most`.
uint64_t read_number(const std::string& text, uint64_t least, uint64_t most,
                     const std::string& option);
/// A finite number of at least 0, such as 1.5.
double read_limit(const std::string& text, const std::string& option);
/// The bits of a float, which may have any value.
uint32_t read_float(const std::string& text, const std::string& option);

/// "4", "4,2" or "4,2,1": x, y and z, each from 1 to that component of `most`.
isa::Extent read_extent(const std::string& text, const isa::Extent& most,
                        const std::string& option);
constexpr isa::Extent kMostGrid = {0x7FFFFFFF, 0xFFFF, 0xFFFF};  // cc 5.0
constexpr isa::Extent kMostBlock = {1024, 1024, 64};
constexpr isa::Extent kMostCluster = {16, 16, 16};  // cc 9.0, if the host has opted in

/// Returns "sm_52" (a cubin) or "compute_52" (PTX) unchanged.
std::string read_architecture(const std::string& text, const std::string& option);

/// The parts of a text before and after the first `separator`; neither is empty.
struct Pair {
  std::string first;
  std::string second;
};
Pair read_pair(const std::string& text, char separator, const std::string& expected);

/// The parts between the commas of "a,b,c"; none for an empty text.
std::vector<std::string> split_at_commas(const std::string& text);

std::vector<uint8_t> bytes_of_file(const std::string& path);

}  // namespace shflsim::cli
