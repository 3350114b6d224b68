// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/trace.h"

namespace shflsim::fuzz {

/// Walks the first steps of each warp, as the model and the reports do.
void walk(const traces::Trace& trace);

/// Opens a launch of the file, which must be of this format, and walks it.
void use_trace_file(const std::string& path, const std::string& format);

}  // namespace shflsim::fuzz
