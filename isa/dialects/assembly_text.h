// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/data_sections.h"
#include "isa/assembly/maxas_names.h"
#include "isa/codec/control.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// An instruction in an assembler's text: a control, then the instruction's text.
struct AssemblyLine {
  std::string text;
  Control control;
  unsigned line = 0;
  unsigned column = 0;
};

/// One kernel of such a text.
struct AssemblyKernel {
  std::string name;
  unsigned registers = 0;  ///< 0 if the text does not say
  unsigned shared_bytes = 0;
  Arch arch = Arch::kSm50;
  std::vector<AssemblyLine> code;
  std::map<std::string, size_t> labels;  ///< index of the instruction after each label
};

/// Differences between the assemblers' texts.
struct AssemblySyntax {
  std::optional<Control> (*take_control)(std::string_view* text);
  const char* control_example;
  bool has_names = false;  ///< blocks that name registers and constants (maxas)
};

/// A parsed text; its instructions are not assembled yet.
struct AssemblyText {
  std::vector<AssemblyKernel> kernels;
  DataSections data;
  MaxasNames names;
};

/// Parses a text. Comments (//, #, /*...*/) and directives other than those below are skipped.
/// ".section .text.NAME" or "# Kernel: NAME" begins a kernel. "# Arch: sm_NN", EF_CUDA_SMNN and the
/// ELF flags in .__elf_flags give its architecture (default: SPA 5.0), SHI_REGISTERS=N and
/// "# RegCnt: N" its registers, "# SharedSize: N" its shared memory. Data sections are read as in
/// listings. Throws InputError with line and column.
AssemblyText read_assembly(const SourceText& source, const AssemblySyntax& syntax);

}  // namespace shflsim::isa
