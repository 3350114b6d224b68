// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shflsim::report {

/// Names of what the program writes as JSON, each by the command that writes it.
std::vector<std::string> schemas();
/// Its JSON Schema (draft 2020-12), made of the lists of report/run/columns.h: docs/schema/ has a
/// copy. Throws InputError, with the nearest name, if there is none.
std::string schema_text(const std::string& name);

}  // namespace shflsim::report
