// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::report {

/// A result as one page for a browser (report/page/html/): it holds all that it needs and asks no
/// network for anything. `json` is what the command writes as JSON of a schema that
/// report/page/html/page.js knows.
std::string page_of(const std::string& json);

}  // namespace shflsim::report
