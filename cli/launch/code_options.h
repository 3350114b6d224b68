// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/launch/input.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {

/// The kernels that `asm` and `disasm` print, and how.
struct PrintOptions : OptionGroup {
  enum class Control : char { kGiven, kChosen };

  std::string file;
  InputOptions input;  ///< only its kernel and code options are listed
  std::string dialect = "nvdisasm";
  Control control = Control::kGiven;
  bool line_info = false;

  /// Does not add `--line-info`, which only `disasm` has.
  void list(OptionList& list);
};

struct PrintedCode {
  std::string text;
  std::vector<InputError> left_out;  ///< for each kernel that cannot be used, the reason
};
/// The chosen kernels of the file, printed in the chosen dialect as whole bundles. The control bits
/// are those of the text; if it has none, or with `--control chosen`, the program chooses them.
/// Throws InputError for input that cannot be used; one of several kernels is left out instead.
PrintedCode printed_code(const PrintOptions& options);

/// The lines of the chosen kernels of a PTX file after the named pass of the lowering. Throws
/// InputError for other files and for unknown passes.
std::string lines_after(const std::string& pass, const PrintOptions& options);

}  // namespace shflsim::cli
