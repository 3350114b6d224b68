// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/program_options.hpp>
#include <string>

#include "isa/arch.h"

namespace shflsim::cli {

/// --arch, of commands that take words or texts: whose.
inline void add_arch_option(boost::program_options::options_description& options) {
  options.add_options()(
      "arch", boost::program_options::value<std::string>()->value_name("ARCH"),
      "whose instructions: sm_50 (default, SPA 5.0), sm_70, sm_72, sm_75, sm_80, sm_86, sm_89, "
      "sm_90, sm_100 or sm_120");
}

/// SPA 5.0 where the option is not given. Throws InputError for a name that is none.
inline isa::Arch arch_of(const boost::program_options::variables_map& values) {
  return values.count("arch") == 0 ? isa::Arch::kSm50
                                   : isa::arch_named(values["arch"].as<std::string>());
}

}  // namespace shflsim::cli
