// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace shflsim::report {

// What pages are made of, as the build found it: report/page/html/, and the libraries that draw
// their charts (scripts/bundle).
std::string_view page_html();
std::string_view page_style();
std::string_view page_script();
std::string_view uplot_style();
std::string_view uplot_script();
std::string_view vega_script();

}  // namespace shflsim::report
