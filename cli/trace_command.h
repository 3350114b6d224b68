// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::cli {

struct Command;
/// The verbs of `shflsim trace`, each a command.
const std::vector<Command>& trace_verbs();

/// The verbs of `shflsim trace`: each takes what stands behind it and returns an ExitStatus.
int record_trace(const std::vector<std::string>& arguments);
int describe_trace(const std::vector<std::string>& arguments);
int dump_trace(const std::vector<std::string>& arguments);
int convert_trace(const std::vector<std::string>& arguments);

}  // namespace shflsim::cli
