// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace shflsim::report {

// The parts of a page, embedded by the build: report/page/html/, and the libraries that draw the
// charts (scripts/bundle).
std::string_view page_html();
std::string_view page_style();
std::string_view page_script();
std::string_view uplot_style();
std::string_view uplot_script();
std::string_view vega_script();

}  // namespace shflsim::report
