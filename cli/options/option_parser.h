// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/option_list.h"

namespace shflsim::cli {

/// Stores the values that the user gave in the members, and checks which options go together.
/// Returns false if an option asks about the program; then only the options of its group are set.
/// Throws InputError; for an unknown option the message names the nearest one. Prefixes are not
/// guessed. `usage` is the usage line of the command.
bool parse(const OptionList& list, const Strings& arguments, const std::string& usage);

/// Sets options from the words of a file's launch line, except options that were given and options
/// that a given one excludes. Throws InputError.
void parse_launch_line(const OptionList& list, const Strings& words, const std::string& file);

}  // namespace shflsim::cli
