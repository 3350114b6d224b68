// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/launch_options.h"

namespace shflsim::cli {

/// The launch options of the command line. Options that it leaves out are taken from the file, if
/// code in the manual's syntax has a comment such as
///   // launch: --block 256 --reg Rvalue=hash
/// Only the command line can say what to write (`--save`, `--dump-reg`).
/// Throws InputError if that line cannot be read.
LaunchOptions with_launch_line(LaunchOptions options, const std::string& file);

}  // namespace shflsim::cli
