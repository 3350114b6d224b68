// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/chips.h"

#include "cli/options/machine_choice.h"

namespace shflsim::cli {

const std::map<unsigned, std::string>& chips() {
  static const std::map<unsigned, std::string> all = {
      {50, "gm107"}, {52, "gm204"},  {60, "gp104"}, {61, "gp104"}, {70, "gv100"},
      {72, "gv100"}, {75, "tu102"},  {80, "ga100"}, {86, "ga102"}, {89, "ad102"},
      {90, "gh100"}, {100, "gb100"}, {120, "gb202"}};
  return all;
}

std::string machine_of(isa::Arch arch) {
  if (isa::family_of(arch) == isa::Family::kMaxwell) return kDefaultMachine;
  return chips().at(isa::number_of(arch));
}

}  // namespace shflsim::cli
