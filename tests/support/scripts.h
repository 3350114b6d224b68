// SPDX-License-Identifier: Apache-2.0
// Lines for the scripts of tests that call the program ($S) on shipped code ($T).
#pragma once

#include <string>
#include <vector>

namespace shflsim::test {

/// Writes the launch file l.ini, with these lines after its code, and scan.sass to
/// `folder`.
std::string launch_file(const std::string& lines, const std::string& folder = ".");

/// Writes the input files of calls(): t.shft, t.traceg and l.ini.
std::string inputs_of_calls();
/// Arguments after $S that call each command with each kind of input that it takes. Each call
/// prints its result, or writes it to standard output.
const std::vector<std::string>& calls();

}  // namespace shflsim::test
