// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "isa/code/program.h"

namespace shflsim::isa {

/// A syntax in which programs are printed; the reader of the same name restores the words and
/// controls. All but "manual" and "maxas" can print several kernels of one architecture.
struct Writer {
  const char* name;
  const char* help;
  bool several_kernels;
  bool has_long_words;  ///< also prints code of sm_70 and later
  std::string (*write)(const std::vector<Program>& programs);
};
const std::vector<Writer>& writers();

}  // namespace shflsim::isa
