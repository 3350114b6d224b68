// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::report {

/// Makes `content` the content of the file: written under a name beside it and renamed, so that the
/// file is either the old one or the whole new one. What is no regular file (a pipe, /dev/stdout, a
/// link) is written in place instead of being replaced. Throws InputError with the path where that
/// fails, and leaves nothing behind.
void write_file_atomically(const std::string& path, const std::string& content);

}  // namespace shflsim::report
