// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "isa/form.h"

namespace shflsim::isa {

/// The tokens of a form's text, in the notation that isa/opcodes.inc explains; what {b} and {c}
/// stand for depends on the form's letter. Throws std::logic_error where the table is wrong.
std::vector<Token> read_template(const Form& form);

}  // namespace shflsim::isa
