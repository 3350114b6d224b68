// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "report/run/document.h"
#include "runtime/protocol/launch_row.h"

namespace shflsim::cli {

/// Writes a row for each kernel of a program, and with `has_launches` also one for each launch.
void write_exec_table(std::ostream& out, const std::vector<runtime::LaunchRow>& rows,
                      bool has_launches);

/// A document with a row for each launch; its JSON also has the kernels.
report::Document exec_document(const std::vector<runtime::LaunchRow>& rows,
                               const std::vector<std::string>& program);

}  // namespace shflsim::cli
