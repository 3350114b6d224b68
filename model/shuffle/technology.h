// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/core/parameter.h"

namespace shflsim::model {

/// The technology of a shuffle unit: a library of cells (cell_library.h), the wires along its row
/// of lanes, and the chip's clock. Its energy, area and time follow from these and from the
/// network's wiring (shuffle_energy.h, pass_time.h).
struct Technology {
  static constexpr double kPicosecondsPerMegahertz =
      1e6;  ///< clock period in ps times clock in MHz

  std::string library;            ///< shipped name, or a file of `scripts/rtl/synthesise`
  uint32_t clock = 0;             ///< megahertz
  uint32_t lane_pitch = 0;        ///< micrometres
  uint32_t lane_pitch_least = 0;  ///< micrometres: least and greatest possible value
  uint32_t lane_pitch_most = 0;
  uint32_t wire_resistance = 0;   ///< milliohms per micrometre
  uint32_t wire_capacitance = 0;  ///< attofarads per micrometre
  uint32_t wire_pitch = 0;        ///< nanometres from a bit's wire to the next
  uint32_t wire_energy = 0;       ///< femtojoules per bit and millimetre
  uint32_t mux_energy = 0;        ///< attojoules per 2:1 multiplexer of one bit
  uint32_t register_energy = 0;   ///< femtojoules per 32-bit lane, for a read and a write
  uint32_t activity = 0;          ///< percent of bits that toggle from pass to pass

  void list(ParameterList& list);
};

}  // namespace shflsim::model
