// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/machine.h"

namespace shflsim::isa {

/// Makes a buffer of the program's __device__ variables, as the driver does when it loads a module,
/// and returns its address; 0 where the program has none.
uint64_t place_variables(const Program& program, DeviceMemory& memory);

/// Puts the addresses of variables into the program's image, which stands at `address`.
void write_addresses(const Program& program, uint64_t address, uint8_t* image);

/// The program's constant banks, with the addresses of variables that were placed at `address`.
std::map<uint8_t, std::vector<uint8_t>> constants_with_addresses(const Program& program,
                                                                 uint64_t address);

}  // namespace shflsim::isa
