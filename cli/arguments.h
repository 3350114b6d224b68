// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/machine/device_memory.h"
#include "isa/program.h"

namespace shflsim::cli {

/// One kernel argument: its bytes in the parameter area, and the device buffer that it points to.
struct Argument {
  std::string spec;
  std::vector<uint8_t> bytes;
  std::optional<uint64_t> buffer;
};

/// Kinds of arguments, for help and errors.
extern const char* const kArgumentKinds;

/// Reads `spec` (see kArgumentKinds), allocating its buffer where it is one. Files are looked for
/// from `folder`. Throws InputError that begins with `option`.
Argument read_argument(const std::string& spec, const std::string& folder,
                       const std::string& option, isa::DeviceMemory& memory);
/// Spreads an index over 32 bits: the input rule of the conformance kernels.
uint32_t hashed(uint32_t index);

/// An argument that points to a buffer which is there already.
Argument pointer_to(uint64_t address, const std::string& spec);

/// The parameter area: as the program's layout says, and otherwise each at a multiple of its size,
/// as the CUDA ABI lays scalars out. Throws InputError where number or sizes differ from the
/// layout.
std::vector<uint8_t> parameter_area(const std::vector<Argument>& arguments,
                                    const isa::Program& program);

}  // namespace shflsim::cli
