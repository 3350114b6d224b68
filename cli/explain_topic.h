// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <ostream>
#include <string>

namespace shflsim::cli {

/// True for a word that `explain` takes besides a SHFL: stall, metric, parameter.
bool is_explained_topic(const std::string& topic);
/// What a warp state, a reported figure or a parameter is; of a parameter also its range and, on
/// the machine that `values` choose, its value and where that comes from. Throws InputError, with
/// the nearest name, where there is no such thing.
void explain_topic(std::ostream& out, const std::string& topic, const std::string& name,
                   const boost::program_options::variables_map& values);

}  // namespace shflsim::cli
