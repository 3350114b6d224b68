// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "isa/dialects/assembly_text.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// Opens a text whose instructions each begin with a control. What it may say besides:
/// assembly_text.h. Throws InputError with line and column.
std::unique_ptr<Source> open_assembly(const SourceText& source, const AssemblySyntax& syntax);

/// Whether a line of the text begins with a control.
bool has_control_line(const SourceText& source, const AssemblySyntax& syntax);

}  // namespace shflsim::isa
