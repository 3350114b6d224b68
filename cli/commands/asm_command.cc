// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/code_options.h"
#include "cli/options/command.h"
#include "isa/base/out_file.h"

namespace shflsim::cli {
namespace {

struct AsmOptions : PrintOptions {
  std::string output;
  std::string pass;  ///< "": the finished code

  void list(OptionList& list) {
    PrintOptions::list(list);
    list.group("output", this);
    list.text("output", &output, "FILE", "file to write").short_form('o').required().common();
    list.text("dump-after", &pass, "PASS",
              "PTX: write the lines that the code has after this pass of the lowering");
  }
};

std::string assembled(const AsmOptions& options) {
  const PrintedCode printed = printed_code(options);
  if (!printed.left_out.empty()) throw InputError(printed.left_out.front());
  return printed.text;
}

int assemble(const AsmOptions& options) {
  isa::OutFile(options.output)
      .finish(options.pass.empty() ? assembled(options) : lines_after(options.pass, options));
  return kFine;
}

}  // namespace

const Command kAsm =
    command("asm", "assemble code: words, stalls and barriers into a listing",
            "shflsim asm FILE -o OUT [options]",
            "  shflsim asm traces/scan_inclusive.sass -o scan.sass\n"
            "  shflsim asm traces/kernels.cubin --kernel broadcast -o broadcast.maxas \\\n"
            "      --dialect maxas\n",
            assemble);

}  // namespace shflsim::cli
