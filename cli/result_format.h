// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>
#include <vector>

#include "report/rows.h"

namespace shflsim::cli {

/// How a command prints its result on standard output.
enum class ResultFormat : char { kText, kJson, kJsonl, kCsv };

/// `--format`
void add_format_option(boost::program_options::options_description& options);
/// What it says; kText where a command does not have it. Throws InputError.
ResultFormat result_format(const boost::program_options::variables_map& values);

/// True where the command line asks for JSON, whether or not its command can give it: for what is
/// said of a command line that cannot be used.
bool asks_for_json(const std::vector<std::string>& arguments);

/// Prints a result on standard output as `--format` asks. Returns false, and prints nothing, where
/// that is text, which each command writes itself.
bool print_formatted(const boost::program_options::variables_map& values,
                     const report::Document& document);

}  // namespace shflsim::cli
