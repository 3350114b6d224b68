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

/// `list kernels FILE`: a row for each kernel and each architecture of its code, with what the file
/// says about it and which commands can use it. Throws InputError if no file was given or the file
/// cannot be read.
report::Document kernel_list(const std::optional<std::string>& file,
                             const KernelListOptions& options);
void write_kernels(std::ostream& out, const report::Document& list);

}  // namespace shflsim::cli
