// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "cli/options/option_list.h"
#include "report/run/document.h"

namespace shflsim::cli {

struct KernelListOptions : OptionGroup {
  std::string architecture;
  bool with_code = false;

  void list(OptionList& list);
};

/// `list kernels FILE`: a row of each kernel, of each architecture that there is code for, with
/// what the file says of it and what can be done with it. Throws InputError if no file was given
/// or it cannot be read.
report::Document kernel_list(const std::optional<std::string>& file,
                             const KernelListOptions& options);
void write_kernels(std::ostream& out, const report::Document& list);

}  // namespace shflsim::cli
