// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::cli {

/// The arguments, with each @FILE before `--` replaced by the words of the file. Words are
/// separated by blanks and line ends, and quoted if they contain these; @- is standard input. An
/// argument that names no file stays unchanged (`encode '@P0 EXIT'`), and so does a word of a file
/// that begins with @. Throws InputError if a file cannot be read.
std::vector<std::string> with_response_files(const std::vector<std::string>& arguments);

}  // namespace shflsim::cli
