// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "traces/trace.h"

namespace shflsim::fuzz {

/// Walks the first steps of each warp, as the model and the reports do; returns how many.
uint64_t walk(const traces::Trace& trace);

/// Opens a launch of the file if it has this format, and uses it.
void use_trace_file(const std::string& path, const std::string& format,
                    const std::function<void(const traces::Trace&)>& use = walk);

}  // namespace shflsim::fuzz
