// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>

namespace shflsim::cli {

/// How a command prints its result on standard output.
enum class ResultFormat : char { kText, kJson, kJsonl, kCsv };

/// `--format`
void add_format_option(boost::program_options::options_description& options);
/// What it says; kText where a command does not have it. Throws InputError.
ResultFormat result_format(const boost::program_options::variables_map& values);

}  // namespace shflsim::cli
