// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>

namespace shflsim::cli {

/// The launch options among `values`, the command line's; those that it leaves out are taken from
/// the file, where code in the manual's syntax has a comment such as
///   // launch: --block 256 --reg Rvalue=hash
/// What is written where (`--save`, `--dump-reg`) is for the command line alone to say.
/// Throws InputError where that line cannot be read.
boost::program_options::variables_map with_launch_line(
    const boost::program_options::variables_map& values, const std::string& file);

}  // namespace shflsim::cli
