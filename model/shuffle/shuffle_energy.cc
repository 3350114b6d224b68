// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_energy.h"

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {
namespace {

constexpr double kMicrometresPerMillimetre = 1e3;
constexpr double kAttojoulesPerFemtojoule = 1e3;
constexpr double kFemtojoulesPerPicojoule = 1e3;

}  // namespace

void Technology::list(ParameterList& list) {
  list.number("technology.lane_pitch", &lane_pitch, 1, 10000, "um",
              "distance from a lane of the shuffle unit to the next");
  list.number("technology.wire_energy", &wire_energy, 0, 10000, "fJ/bit/mm",
              "energy of one toggle of a wire");
  list.number("technology.mux_energy", &mux_energy, 0, 1000000, "aJ",
              "energy of one toggle of a 2:1 multiplexer of one bit");
  list.number("technology.register_energy", &register_energy, 0, 1000000, "fJ/lane",
              "energy to read an operand's lane and write a result's");
  list.number("technology.activity", &activity, 0, 100, "percent",
              "bits that toggle from one pass to the next");
}

double pass_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes) {
  const double wires = technology.wire_energy *
                       (technology.lane_pitch / kMicrometresPerMillimetre) *
                       static_cast<double>(cost.wire_length);
  const double muxes = technology.mux_energy / kAttojoulesPerFemtojoule * cost.mux_levels * lanes;
  return kWordBits * (technology.activity / 100.0) * (wires + muxes) / kFemtojoulesPerPicojoule;
}

double shuffle_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes,
                      uint32_t passes) {
  const double registers = lanes * technology.register_energy / kFemtojoulesPerPicojoule;
  return passes * pass_energy(cost, technology, lanes) + registers;
}

}  // namespace shflsim::model
