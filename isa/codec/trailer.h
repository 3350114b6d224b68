// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "isa/codec/control.h"

namespace shflsim::isa {

/// Reads the manual's trailer, `{&req_6} {&rdN} {&wrN} {?sched}`, as `&req={0,3}`, `&rd=0x1` or
/// `&rd1`, `&wr=0` or `&wr0`, `?trans2`, in any order. Throws SyntaxError (isa/codec/codec.h) with
/// the column in `text`.
Control read_trailer(std::string_view text);

}  // namespace shflsim::isa
