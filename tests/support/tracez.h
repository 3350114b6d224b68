// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace shflsim::test {

/// The .tracez with the content of a .traceg: chunks of `chunk_lines` lines, compressed with
/// `dictionary` unless it is "". Text without a header, and text that is not a warp as the tracer
/// writes it, is left out.
std::string packed_tracez(std::string_view traceg, size_t chunk_lines,
                          const std::string& dictionary = "");

}  // namespace shflsim::test
