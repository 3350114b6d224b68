// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/run/window.h"

namespace shflsim::cli {

/// "0-3,8,100:200": warps and cycles of a run, or one of the two; "all" means all warps. If the
/// text names no warps, they are `warps`. Throws InputError that begins with `option`.
report::Window read_window(const std::string& text, const std::string& option,
                           const std::vector<report::Window::Warps>& warps = {});

}  // namespace shflsim::cli
