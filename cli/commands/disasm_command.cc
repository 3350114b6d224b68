// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "cli/launch/code_options.h"
#include "cli/options/command.h"
#include "report/terminal/messages.h"

namespace shflsim::cli {
namespace {

struct DisasmOptions : PrintOptions {
  void list(OptionList& list) {
    PrintOptions::list(list);
    list.group("options", this);
    list.flag("line-info", &line_info,
              "say before each line's instructions which line of which source file they are "
              "of, as nvdisasm -g does; of cubins of nvcc -lineinfo")
        .common();
  }
};

int disassemble(const DisasmOptions& options) {
  const PrintedCode printed = printed_code(options);
  std::cout << printed.text;
  for (const InputError& error : printed.left_out)
    report::remark("left out: " + error.faults().front().line());
  return printed.left_out.empty() ? kFine : kNo;
}

}  // namespace

const Command kDisasm = command(
    "disasm", "print code in nvdisasm's, cuobjdump's or an assembler's words",
    "shflsim disasm FILE [options]",
    "  shflsim disasm traces/kernels.cubin --kernel broadcast --dialect maxas\n", disassemble);

}  // namespace shflsim::cli
