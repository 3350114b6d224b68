// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/run/columns.h"

namespace shflsim::report {

/// A field of a CSV line in the form of RFC 4180: quoted if it holds a comma, a quote or a line
/// end, with its quotes doubled.
std::string csv_quoted(std::string_view field);
/// A value as a CSV field; an empty value is an empty field.
std::string csv_cell(const Value& value);

/// The last columns of every CSV, each preceded by a comma, which identify the run.
std::string csv_head_keys();
std::string csv_head(const Origin& origin, const Machine& machine);

}  // namespace shflsim::report
