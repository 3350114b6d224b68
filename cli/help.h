// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "cli/command.h"

namespace shflsim::cli {

/// `shflsim --help`: what the commands are.
std::string overview();

/// `shflsim COMMAND --help`, in 80 columns: how it is called, an example, its arguments, its
/// options by group, exit statuses and environment.
std::string help_text(const Usage& usage,
                      const boost::program_options::options_description& options,
                      const boost::program_options::positional_options_description& positions);

/// What every help ends with: exit statuses and environment.
std::string help_ending();

/// The options that are no positional arguments: "--kernel"...
std::vector<std::string> option_names(
    const boost::program_options::options_description& options,
    const boost::program_options::positional_options_description& positions);

}  // namespace shflsim::cli
