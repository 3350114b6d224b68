// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "model/config/config.h"
#include "model/shuffle/shuffle_network.h"

namespace shflsim::report {

/// Reads into some of a machine's parameters what its config says of them. Throws InputError for a
/// config that cannot be used.
void read_part(const model::ConfigLayers& layers, const model::ParameterList& list);

/// The shuffle network, its add-ons and its technology as a machine's config chooses them. Throws
/// InputError for a config that cannot be used.
std::unique_ptr<model::NetworkChoice> network_choice(const model::ConfigLayers& layers);

/// Lanes that its shuffle unit delivers a cycle (shuffle.lanes).
unsigned unit_width(const model::ConfigLayers& layers);

}  // namespace shflsim::report
