// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shflsim::isa {

/// `content` compressed for a file of this name: by zstd for ".zst", by gzip for ".gz", else
/// unchanged. Equal contents give equal bytes.
std::string compressed_for(const std::string& path, std::string content);

}  // namespace shflsim::isa
