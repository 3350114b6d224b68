// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shflsim::model {

class Wiring;

/// What synthesis made of a network for 32 lanes of 32 bits, or of a unit that delivers fewer of
/// them a cycle.
struct SynthesisedNetwork {
  double cells = 0;          ///< square micrometres of cells, registers left out
  double registers = 0;      ///< square micrometres of the results' and the network's registers
  double delay = 0;          ///< picoseconds of logic between registers, without wires
  double set_up_energy = 0;  ///< femtojoules: one pass's settings replace another's
};

/// A library of standard cells, and what synthesis made of networks with it: a file that
/// `scripts/rtl/synthesise` writes.
struct CellLibrary {
  std::string name;
  double fo4 = 0;             ///< picoseconds: an inverter that drives four of its kind
  double register_delay = 0;  ///< picoseconds: set-up time and clock to output
  double flip_flop = 0;       ///< square micrometres of a register's bit
  double base_delay = 0;      ///< picoseconds: of what was not synthesised, base_delay and
  double level_delay = 0;     ///< level_delay for each 2:1 multiplexer in a row, fitted to what was
  std::map<std::string, SynthesisedNetwork> networks;  ///< by Wiring::fingerprint

  /// What is known of a network; nullptr for one that was not synthesised.
  const SynthesisedNetwork* find(const Wiring& wiring) const;
  /// Picoseconds of logic in a pass: synthesised, else estimated.
  double logic_delay(const Wiring& wiring) const;
};

/// Names of those in configs/technology.
std::vector<std::string> shipped_libraries();
/// A shipped library, or the one in a user's file; read once. Throws InputError if there is none
/// or where it is not of the script's format.
const CellLibrary& cell_library(const std::string& name_or_path);
/// Its file.
std::string cell_library_path(const std::string& name_or_path);

}  // namespace shflsim::model
