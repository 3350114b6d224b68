// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {

/// Which kernels `asm` and `disasm` take, and how they print them.
struct PrintOptions : OptionGroup {
  enum class Control : char { kGiven, kChosen };

  std::string file;
  InputOptions input;  ///< only its kernel and code options are listed
  std::string dialect = "nvdisasm";
  Control control = Control::kGiven;
  bool line_info = false;

  /// Leaves `--line-info` to `disasm`.
  void list(OptionList& list);
};

struct PrintedCode {
  std::string text;
  std::vector<InputError> left_out;  ///< of each kernel that cannot be used, why
};
/// The chosen kernels of the file, printed in the chosen dialect: whole bundles, with the control
/// that the text gives or, where it gives none or `--control chosen` says so, the tool's own.
/// Throws InputError for anything that cannot be used; a kernel among several is left out.
PrintedCode printed_code(const PrintOptions& options);

/// The lines of the chosen kernels of a PTX file after that pass of the lowering. Throws InputError
/// for other files, and for the name of no pass.
std::string lines_after(const std::string& pass, const PrintOptions& options);

}  // namespace shflsim::cli
