// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::report {

/// A result as one HTML page (report/page/html/). The page is self-contained and makes no network
/// requests. `json` is the JSON that a command writes, of a schema that report/page/html/page.js
/// knows.
std::string page_of(const std::string& json);

}  // namespace shflsim::report
