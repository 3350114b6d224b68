// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "isa/dialects/assembly_text.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// Opens a text whose instructions each begin with a control. assembly_text.h describes its other
/// lines. Throws InputError with line and column.
std::unique_ptr<Source> open_assembly(const SourceText& source, const AssemblySyntax& syntax);

/// True if any line of the text begins with a control.
bool has_control_line(const SourceText& source, const AssemblySyntax& syntax);

}  // namespace shflsim::isa
