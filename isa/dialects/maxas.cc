// SPDX-License-Identifier: Apache-2.0
// maxas text: "--:-:1:-:4   @P0 SHFL.IDX PT, R1, R0, R2, 0x1f;", labels, # remarks.
#include "isa/dialects/assembly.h"
#include "isa/dialects/control_text.h"

namespace shflsim::isa {
namespace {

const AssemblySyntax kMaxasSyntax = {take_maxas_control, "one such as 01:-:2:Y:d"};

bool is_maxas(const SourceText& source) { return has_control_line(source, kMaxasSyntax); }
std::unique_ptr<Source> open_maxas(const SourceText& source) {
  return open_assembly(source, kMaxasSyntax);
}

const bool maxas_registered = Dialects::add(
    {"maxas", "maxas text, a control in front of each instruction", is_maxas, open_maxas, 50});

}  // namespace
}  // namespace shflsim::isa
