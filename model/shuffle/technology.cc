// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/technology.h"

#include "model/shuffle/cell_library.h"

namespace shflsim::model {

void Technology::list(ParameterList& list) {
  list.file("technology.library", &library, shipped_libraries(),
            "standard cells of the shuffle unit, or a file that scripts/rtl/synthesise wrote");
  list.number("technology.clock", &clock, 1, 100000, "MHz", "clock of the SM");
  list.together(
      {"technology.clock", "technology.library"},
      [this] { return kPicosecondsPerMegahertz / clock > cell_library(library).register_delay; },
      "a cycle longer than a register of the library takes");
  list.number("technology.lane_pitch", &lane_pitch, 1, 10000, "um",
              "distance between neighbouring lanes of the shuffle unit");
  list.number("technology.lane_pitch_least", &lane_pitch_least, 1, 10000, "um",
              "lower end of the range of the lane pitch");
  list.number("technology.lane_pitch_most", &lane_pitch_most, 1, 10000, "um",
              "upper end of the range of the lane pitch");
  list.together(
      {"technology.lane_pitch_least", "technology.lane_pitch_most"},
      [this] { return lane_pitch_least <= lane_pitch_most; },
      "technology.lane_pitch_least no greater than technology.lane_pitch_most");
  list.number("technology.wire_resistance", &wire_resistance, 1, 1000000, "mOhm/um",
              "resistance of a wire along the lanes");
  list.number("technology.wire_capacitance", &wire_capacitance, 1, 100000, "aF/um",
              "capacitance of a wire along the lanes");
  list.number("technology.wire_pitch", &wire_pitch, 1, 100000, "nm",
              "distance between the wires of neighbouring bits");
  list.number("technology.wire_energy", &wire_energy, 0, 10000, "fJ/bit/mm",
              "energy of one toggle of a wire");
  list.number("technology.mux_energy", &mux_energy, 0, 1000000, "aJ",
              "energy of one toggle of a one-bit 2:1 multiplexer");
  list.number("technology.register_energy", &register_energy, 0, 1000000, "fJ/lane",
              "energy to read the operand and write the result of a lane");
  list.number("technology.activity", &activity, 0, 100, "percent",
              "share of bits that toggle from one pass to the next");
}

}  // namespace shflsim::model
