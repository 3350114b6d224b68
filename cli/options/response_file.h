// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::cli {

/// The arguments with each @FILE in front of `--` replaced by the words of the file, which stand
/// between blanks and ends of lines, in quotes where they hold such; @- is standard input. What
/// names no file stays as it is (`encode '@P0 EXIT'`), and so does a word of a file that begins
/// with
/// @. Throws InputError where a file cannot be read.
std::vector<std::string> with_response_files(const std::vector<std::string>& arguments);

}  // namespace shflsim::cli
