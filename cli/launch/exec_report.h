// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/run/document.h"
#include "runtime/protocol/launch_row.h"

namespace shflsim::cli {

/// A row for each kernel of a program, and with `has_launches` one for each launch.
void write_exec_table(std::ostream& out, const std::vector<runtime::LaunchRow>& rows,
                      bool has_launches);

/// The rows of all launches; their kernels are in the JSON, too.
report::Document exec_document(const std::vector<runtime::LaunchRow>& rows,
                               const std::vector<std::string>& program);

}  // namespace shflsim::cli
