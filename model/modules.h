// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/config/config.h"

namespace shflsim::model {

/// A part of the machine, from SystemC after elaboration.
struct ModuleInstance {
  std::string path;      ///< "chip.sm0.sub_partition0.scheduler"
  std::string module;    ///< name of its class
  std::string hardware;  ///< what it is, in a few words
  std::string section;   ///< section of the config; "" if it has no parameters of its own
};

/// The parts of a chip with one SM for this config, each before its own parts. Elaborates a machine
/// without work, for code with control bits. Throws InputError as run() does.
std::vector<ModuleInstance> modules_of(const ConfigLayers& layers);

}  // namespace shflsim::model
