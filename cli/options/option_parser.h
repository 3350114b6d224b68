// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/options/option_list.h"

namespace shflsim::cli {

/// Sets the members of what the user gave, and checks what goes together. Returns false if an
/// option asks about the program: then only options of that one's group are set. Throws InputError,
/// for an unknown option with the nearest one; prefixes are not guessed. `usage` is how the command
/// is called.
bool parse(const OptionList& list, const Strings& arguments, const std::string& usage);

/// Sets options from the words of a file's launch line, except options that were given and options
/// that a given one excludes. Throws InputError.
void parse_launch_line(const OptionList& list, const Strings& words, const std::string& file);

}  // namespace shflsim::cli
