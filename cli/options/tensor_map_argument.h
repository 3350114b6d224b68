// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shflsim::cli {

/// The 128 bytes of a tiled tensor map of the buffer at `address`, as cuTensorMapEncodeTiled makes
/// them. `fields`: ",TYPE,DIMS,STRIDES,BOX,SWIZZLE"; sizes are separated by x, the innermost first;
/// strides are bytes from the second dimension on, or "packed"; SWIZZLE is 0, 32, 64 or 128 bytes.
/// Semicolons may replace the commas. Throws InputError that begins with `option`.
std::vector<uint8_t> tensor_map_bytes(const std::string& fields, uint64_t address,
                                      const std::string& option);

}  // namespace shflsim::cli
