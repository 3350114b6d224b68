// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shflsim::cli {

/// The 128 bytes of a tensor map of the tensor at `address`, as cuTensorMapEncodeTiled and
/// cuTensorMapEncodeIm2col make them. `fields`: ",TYPE,DIMS,STRIDES,BOX,SWIZZLE"; sizes are
/// separated by x, the innermost first; strides are bytes from the second dimension on, or
/// "packed"; SWIZZLE is 0, 32, 64 or 128 bytes. Behind it may follow ",steps=SIZES" (element
/// strides), ",interleave=16" or 32, ",fill=nan", ",promotion=64", 128 or 256, and
/// ",im2col=LOWER:UPPER" with the corners, for which BOX is CHANNELSxPIXELS. Semicolons may replace
/// the commas. Throws InputError that begins with `option`, also for maps that the driver refuses.
std::vector<uint8_t> tensor_map_bytes(const std::string& fields, uint64_t address,
                                      const std::string& option);

}  // namespace shflsim::cli
