// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shflsim::test {

/// Path of a file by its name from the top of the source tree ("traces/scan_inclusive.sass").
std::string source_path(const std::string& name);
/// Path of a file under tests/data ("shfl_semantics/wild.csv.gz").
std::string data_path(const std::string& name);

/// Content of a file, unpacked if it is gzipped. Throws std::runtime_error if it is unreadable.
std::string read_file(const std::string& path);

/// The lines of a text, without their ends and a '\r' before the end.
std::vector<std::string> lines_of(const std::string& text);
/// The parts of a line between `separator`s: "a,,b" has three.
std::vector<std::string> fields_of(const std::string& line, char separator);
/// The number that `text` spells in `base`. Throws std::runtime_error for any other text.
uint64_t number_of(const std::string& text, int base);

}  // namespace shflsim::test
