// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "isa/machine/machine.h"

namespace shflsim::isa {

/// Device addresses of a program's variables; 0 if they are not placed.
struct VariablePlaces {
  uint64_t image = 0;  ///< image of the __device__ variables
  /// A copy of constant bank 3, for code that reads __constant__ variables by pointers.
  uint64_t constants = 0;
};

/// Makes buffers for variables that have no place yet, as the driver does when it loads a module:
/// for the program's __device__ variables, and for its __constant__ variables if anything may point
/// to them.
void place_variables(const Program& program, DeviceMemory& memory, VariablePlaces* places);

/// Puts the addresses of variables into the program's image.
void write_addresses(const Program& program, const VariablePlaces& places, uint8_t* image);

/// The program's constant banks, with the addresses of its variables.
std::map<uint8_t, std::vector<uint8_t>> constants_with_addresses(const Program& program,
                                                                 const VariablePlaces& places);

/// Gives a launch the constant banks with these addresses.
void use_variables(const Program& program, const VariablePlaces& places, Launch* launch);

/// Places new variables for a launch, and gives the launch their addresses.
void add_variables(const Program& program, DeviceMemory& memory, Launch* launch);

}  // namespace shflsim::isa
