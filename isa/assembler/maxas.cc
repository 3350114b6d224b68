// SPDX-License-Identifier: Apache-2.0
// maxas text: "--:-:1:-:4   @P0 SHFL.IDX PT, R1, R0, R2, 0x1f;", labels, # remarks.
#include "isa/assembler/assembly.h"
#include "isa/assembler/control_text.h"

namespace shflsim::isa {
namespace {

const AssemblySyntax kSyntax = {take_maxas_control, "one such as 01:-:2:Y:d"};

bool recognises(const SourceText& source) { return has_control_line(source, kSyntax); }
std::unique_ptr<Source> open(const SourceText& source) { return open_assembly(source, kSyntax); }

const bool registered = Dialects::add(
    {"maxas", "maxas text, a control in front of each instruction", recognises, open, 50});

}  // namespace
}  // namespace shflsim::isa
