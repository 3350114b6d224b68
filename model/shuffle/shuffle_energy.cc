// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_energy.h"

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {
namespace {

constexpr double kMicrometresPerMillimetre = 1e3;
constexpr double kAttojoulesPerFemtojoule = 1e3;
constexpr double kFemtojoulesPerPicojoule = 1e3;

}  // namespace

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
