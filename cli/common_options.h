// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace shflsim::cli {

/// What every command takes, before or behind its verb: --help, --version, --quiet, --verbose,
/// --log-file, --color, --progress.
void add_common_options(boost::program_options::options_description& options);

/// Makes standard output and standard error what these and the environment ask for. Throws
/// InputError for a value that cannot be used.
void apply_common_options(const boost::program_options::variables_map& values);

/// The same arguments, with the options that stand in front of the verb behind it.
std::vector<std::string> verb_first(const std::vector<std::string>& arguments);

}  // namespace shflsim::cli
