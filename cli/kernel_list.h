// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <ostream>

#include "report/rows.h"

namespace shflsim::cli {

/// `list kernels FILE`: a row of each kernel, of each architecture that there is code for, with
/// what the file says of it and what can be done with it. Throws InputError where no file was given
/// or it cannot be read.
report::Document list_kernels(const boost::program_options::variables_map& values);
void write_kernels(std::ostream& out, const report::Document& list);

}  // namespace shflsim::cli
