// SPDX-License-Identifier: Apache-2.0
// Lines for the scripts of tests that call the program ($S) on shipped code ($T).
#pragma once

#include <string>
#include <vector>

namespace shflsim::test {

/// Makes in `folder` the launch file l.ini, with these lines behind its code, which is scan.sass
/// beside it.
std::string launch_file(const std::string& lines, const std::string& folder = ".");

/// Makes what calls() name: t.shft, t.traceg and l.ini.
std::string inputs_of_calls();
/// What stands behind $S to call each command with each kind of input that it takes. Each prints
/// its result, or writes it to standard output.
const std::vector<std::string>& calls();

}  // namespace shflsim::test
