// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>

#include "isa/machine/machine.h"

namespace shflsim::cli {

/// `--up-rule`, `--max-instructions`: what of the machine that executes code can be chosen.
void add_machine_options(boost::program_options::options_description& options);
/// Throws InputError for an unknown rule and for no number.
isa::MachineOptions machine_options(const boost::program_options::variables_map& values,
                                    bool keep_registers);

}  // namespace shflsim::cli
