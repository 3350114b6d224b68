// SPDX-License-Identifier: Apache-2.0
#include "cli/options/machine_choice.h"

#include "isa/base/input_error.h"
#include "model/run.h"
#include "report/terminal/messages.h"

namespace shflsim::cli {

void MachineChoice::list(OptionList& list, const char* help) {
  list.group("machine", this);
  list.texts("config", &configs, "NAME",
             std::string("machine or overlay: a shipped name or a file; repeatable") + help)
      .common("machine or overlay: a shipped name or a file");
  list.texts("set", &settings, "KEY=VALUE", "KEY=VALUE over the config; repeatable").common();
}

std::vector<model::ConfigLayers> MachineChoice::machines(const std::string& machine) const {
  std::vector<model::ConfigLayers> all;
  for (const std::string& config : is_made() ? configs : Strings{machine}) {
    report::detail("machine " + config +
                   (is_made() ? ", of --config" : ", as --config names none"));
    model::ConfigLayers layers;
    layers.add_file(config);
    if (all.empty() || model::is_whole(layers)) {
      all.push_back(layers);
    } else {
      all.back().add(layers);
    }
  }
  for (const std::string& setting : settings) {
    for (model::ConfigLayers& layers : all) layers.add_setting(setting);
  }
  return all;
}

model::ConfigLayers MachineChoice::layers(const std::string& machine) const {
  const std::vector<model::ConfigLayers> all = machines(machine);
  if (all.size() == 1) return all.front();
  throw InputError("--config " + all[1].name() + " is a machine of its own beside " +
                   all[0].name() + "; expected one machine here, or shflsim compare");
}

}  // namespace shflsim::cli
