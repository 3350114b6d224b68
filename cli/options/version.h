// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::cli {

/// Name, version, commit ("unknown" outside a checkout, "-dirty" behind it where files differ from
/// it), and what the program was built with; as lines for reading, or as one JSON object.
std::string version_text();
std::string version_json();
/// "0.1.0 (190650a)": what results that are kept say of the program.
std::string version_word();

}  // namespace shflsim::cli
