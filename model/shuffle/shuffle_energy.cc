// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/shuffle_energy.h"

#include <algorithm>

#include "model/shuffle/shuffle_network.h"

namespace shflsim::model {
namespace {

constexpr double kMicrometresPerMillimetre = 1e3;
constexpr double kAttojoulesPerFemtojoule = 1e3;
constexpr double kFemtojoulesPerPicojoule = 1e3;

}  // namespace

double pass_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes,
                   unsigned width) {
  const double slices = std::max(1.0, static_cast<double>(lanes) / width);
  const double length = static_cast<double>(cost.wire_length) +
                        (slices - 1) * static_cast<double>(cost.wire_length - cost.steady_length);
  const double wires =
      technology.wire_energy * (technology.lane_pitch / kMicrometresPerMillimetre) * length;
  const double muxes = technology.mux_energy / kAttojoulesPerFemtojoule * cost.mux_levels * lanes;
  return kWordBits * (technology.activity / 100.0) * (wires + muxes) / kFemtojoulesPerPicojoule;
}

double shuffle_energy(const NetworkCost& cost, const Technology& technology, unsigned lanes,
                      unsigned width, uint32_t passes) {
  const double registers = lanes * technology.register_energy / kFemtojoulesPerPicojoule;
  return passes * pass_energy(cost, technology, lanes, width) + registers;
}

}  // namespace shflsim::model
