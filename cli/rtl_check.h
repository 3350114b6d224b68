// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>

#include "rtl/proof.h"

namespace shflsim::cli {

/// `shflsim rtl --check LIBRARY`: a module that Verilator has compiled, against the network that it
/// is to be. Adds `--check` and which maps it sends.
void add_check_options(boost::program_options::options_description& options);
/// Throws InputError for options that do not go with `--check`, or not without it.
void refuse_of_check(const boost::program_options::variables_map& values);

/// Sends the maps through the library's module and prints what was compared, or the first lane that
/// is wrong; an ExitStatus. Throws InputError where the library cannot be loaded.
int check_module(const boost::program_options::variables_map& values, const rtl::Module& shuffle,
                 const model::ShuffleNetwork& network, uint32_t seed);

}  // namespace shflsim::cli
