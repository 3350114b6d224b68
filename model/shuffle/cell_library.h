// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace shflsim::model {

class Wiring;

/// Results of synthesis for a network of 32 lanes of 32 bits, or for a unit that delivers fewer
/// lanes per cycle.
struct SynthesisedNetwork {
  double cells = 0;          ///< square micrometres of cells without registers
  double registers = 0;      ///< square micrometres of the results' and the network's registers
  double delay = 0;          ///< picoseconds of logic between registers, without wires
  double set_up_energy = 0;  ///< femtojoules of replacing the settings of a pass by others
};

/// A library of standard cells, and synthesis results for networks with it: a file that
/// `scripts/rtl/synthesise` writes.
struct CellLibrary {
  std::string name;
  double fo4 = 0;             ///< picoseconds: an inverter that drives four of its kind
  double register_delay = 0;  ///< picoseconds: set-up time and clock to output
  double flip_flop = 0;       ///< square micrometres per register bit
  double base_delay = 0;      ///< picoseconds: without synthesis, a network takes base_delay plus
  double level_delay = 0;     ///< level_delay per 2:1 multiplexer in a row; fitted to synthesis
  std::map<std::string, SynthesisedNetwork> networks;  ///< by Wiring::fingerprint

  /// The results for a network; nullptr if it was not synthesised.
  const SynthesisedNetwork* find(const Wiring& wiring) const;
  /// Picoseconds of logic in a pass: from synthesis, otherwise estimated.
  double logic_delay(const Wiring& wiring) const;
};

/// Names of the libraries in configs/technology.
std::vector<std::string> shipped_libraries();
/// A shipped library, or the one in a user's file, which is read once. Throws InputError if there
/// is none or the file does not have the script's format.
const CellLibrary& cell_library(const std::string& name_or_path);
/// The file of a library.
std::string cell_library_path(const std::string& name_or_path);

}  // namespace shflsim::model
