// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/config/ini.h"

namespace shflsim::sweep {

/// A parameter of the machine and the values that it takes, in order.
struct Axis {
  std::string key;
  std::vector<std::string> values;
  Position where;  ///< position in the file that defines the axis
};

/// Parses an axis: values separated by commas, each a single value, or `FIRST..LAST` with an
/// optional `step N` (default 1) or `times N`, or `all` words of the parameter. Throws InputError,
/// with the place in the file, for an unknown parameter, an invalid value and a repeated value.
Axis axis_of(const model::Assignment& assignment);
/// The assignment KEY=VALUES of an option.
model::Assignment assignment_of(const std::string& text, const std::string& option);

/// The items of a comma-separated list, with their places. Throws InputError for an empty item.
std::vector<model::Assignment> items_of(const model::Assignment& list);

}  // namespace shflsim::sweep
