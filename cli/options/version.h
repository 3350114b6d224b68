// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::cli {

/// Name, version, commit ("unknown" outside a checkout, with "-dirty" if files differ from the
/// commit), compiler and libraries, as lines of text or as one JSON object.
std::string version_text();
std::string version_json();
/// "0.1.0 (190650a)": the version that stored results state.
std::string version_word();

}  // namespace shflsim::cli
