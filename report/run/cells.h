// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/core/run_result.h"
#include "report/run/field.h"
#include "traces/trace.h"

namespace shflsim::report {

/// Values that several lists of columns share.

/// part / whole; empty if `whole` is 0.
Value ratio(uint64_t part, uint64_t whole);
uint64_t cycles_in(const model::StateCycles& states, model::WarpState state);
/// "0x0040": the address of line `index`.
std::string pc_of(const traces::Trace& trace, size_t index);

}  // namespace shflsim::report
