// SPDX-License-Identifier: Apache-2.0
#include "cli/machine_options.h"

#include <string>

#include "cli/spec.h"
#include "isa/input_error.h"

namespace shflsim::cli {

namespace po = boost::program_options;

constexpr uint64_t kMostInstructions = uint64_t{1} << 40;

void add_machine_options(po::options_description& options) {
  options.add_options()(
      "up-rule", po::value<std::string>()->value_name("RULE")->default_value("max-lane"),
      "SHFL.UP compares with: max-lane (silicon) or min-lane (the manual's page)")(
      "max-instructions",
      po::value<std::string>()->value_name("N")->default_value(
          std::to_string(isa::MachineOptions::kStepLimit)),
      "warp instructions that a launch may execute, all warps together, before it counts as "
      "endless; where they are kept in memory, 16 bytes of it for each");
}

isa::MachineOptions machine_options(const po::variables_map& values, bool keep_registers) {
  isa::MachineOptions options;
  options.keep_registers = keep_registers;
  const std::string rule = values["up-rule"].as<std::string>();
  if (rule != "max-lane" && rule != "min-lane")
    throw InputError("--up-rule '" + rule + "'" + suggestion(rule, {"max-lane", "min-lane"}));
  options.step_limit = read_number(values["max-instructions"].as<std::string>(), kMostInstructions,
                                   "--max-instructions");
  options.up_rule = rule == "max-lane" ? isa::UpRule::kMaxLane : isa::UpRule::kMinLane;
  return options;
}

}  // namespace shflsim::cli
