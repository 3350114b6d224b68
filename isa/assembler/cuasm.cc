// SPDX-License-Identifier: Apache-2.0
// CuAssembler text: "[B0-----:R-:W1:-:S02]  /*0008*/  S2R R0, SR_TID.X ;", sections and labels.
#include "isa/assembler/assembly.h"
#include "isa/assembler/control_text.h"

namespace shflsim::isa {
namespace {

const AssemblySyntax kSyntax = {take_cuasm_control, "one such as [B0-----:R-:W1:Y:S13]"};

bool recognises(const SourceText& source) { return has_control_line(source, kSyntax); }
std::unique_ptr<Source> open(const SourceText& source) { return open_assembly(source, kSyntax); }

const bool registered = Dialects::add(
    {"cuasm", "CuAssembler text, a control in front of each instruction", recognises, open, 51});

}  // namespace
}  // namespace shflsim::isa
