// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/config/config.h"
#include "model/shuffle/shuffle_network.h"

namespace shflsim::report {

/// Sets the listed parameters to the values that the machine's config gives them. Throws InputError
/// for an invalid config.
void read_part(const model::ConfigLayers& layers, const model::ParameterList& list);

/// The shuffle network, its add-ons and its technology that a machine's config chooses. Throws
/// InputError for an invalid config.
std::unique_ptr<model::NetworkChoice> network_choice(const model::ConfigLayers& layers);

/// Lanes that the shuffle unit delivers per cycle (shuffle.lanes).
unsigned unit_width(const model::ConfigLayers& layers);

}  // namespace shflsim::report
