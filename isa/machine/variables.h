// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/machine.h"

namespace shflsim::isa {

/// Device addresses of a program's variables; 0 if they have none.
struct VariablePlaces {
  uint64_t image = 0;  ///< of __device__ variables
  /// Of __constant__ variables: constant bank 3, for what reads them by pointers.
  uint64_t constants = 0;
};

/// Makes buffers of what has no place yet, as the driver does when it loads a module: of the
/// program's __device__ variables, and of its __constant__ variables where anything may point to
/// them.
void place_variables(const Program& program, DeviceMemory& memory, VariablePlaces* places);

/// Puts the addresses of variables into the program's image.
void write_addresses(const Program& program, const VariablePlaces& places, uint8_t* image);

/// The program's constant banks, with the addresses of its variables.
std::map<uint8_t, std::vector<uint8_t>> constants_with_addresses(const Program& program,
                                                                 const VariablePlaces& places);

/// Gives a launch the variables that stand at these places.
void use_variables(const Program& program, const VariablePlaces& places, Launch* launch);

/// A launch's own variables: places them, and gives it them.
void add_variables(const Program& program, DeviceMemory& memory, Launch* launch);

}  // namespace shflsim::isa
