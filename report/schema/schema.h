// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::report {

/// Names of the schemas of the program's JSON, each with the command that writes it.
std::vector<std::string> schemas();
/// The JSON Schema (draft 2020-12) of that name, made from the lists of report/run/columns.h;
/// docs/schema/ has a copy. Throws InputError, with the nearest name, if there is none.
std::string schema_text(const std::string& name);

}  // namespace shflsim::report
