// SPDX-License-Identifier: Apache-2.0
// CuAssembler text: "[B0-----:R-:W1:-:S02]  /*0008*/  S2R R0, SR_TID.X ;", sections and labels.
#include "isa/dialects/assembly.h"
#include "isa/dialects/control_text.h"

namespace shflsim::isa {
namespace {

const AssemblySyntax kCuasmSyntax = {take_cuasm_control, "one such as [B0-----:R-:W1:Y:S13]"};

bool is_cuasm(const SourceText& source) { return has_control_line(source, kCuasmSyntax); }
std::unique_ptr<Source> open_cuasm(const SourceText& source) {
  return open_assembly(source, kCuasmSyntax);
}

const bool cuasm_registered =
    Dialects::add({"cuasm", "CuAssembler text, a control in front of each instruction", is_cuasm,
                   open_cuasm, 51});

}  // namespace
}  // namespace shflsim::isa
