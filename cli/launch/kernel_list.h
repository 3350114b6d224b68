// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "report/run/document.h"

namespace shflsim::cli {

/// `list kernels FILE`: a row of each kernel, of each architecture that there is code for, with
/// what the file says of it and what can be done with it. Throws InputError where no file was given
/// or it cannot be read.
report::Document kernel_list(const std::optional<std::string>& file);
void write_kernels(std::ostream& out, const report::Document& list);

}  // namespace shflsim::cli
