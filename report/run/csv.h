// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/run/columns.h"

namespace shflsim::report {

/// A field of a CSV line as RFC 4180 wants it: in quotes where it holds a comma, a quote or an end
/// of line, with its own quotes doubled.
std::string csv_quoted(std::string_view field);
/// A figure as such a field; an empty one is nothing.
std::string csv_cell(const Value& value);

/// Columns at the end of the rows of every CSV, each behind a comma, which identify the run.
std::string csv_head_keys();
std::string csv_head(const Origin& origin, const Machine& machine);

}  // namespace shflsim::report
