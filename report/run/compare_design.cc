// SPDX-License-Identifier: Apache-2.0
#include "report/run/compare_design.h"

#include <set>

#include "model/run.h"
#include "model/shuffle/shuffle_unit.h"

namespace shflsim::report {

void read_part(const model::ConfigLayers& layers, const model::ParameterList& list) {
  std::set<std::string> keys;
  for (const model::Parameter& parameter : list.all()) keys.insert(parameter.key);
  model::ConfigLayers own;
  for (const model::ConfigValue& value : model::effective_config(layers)) {
    if (keys.count(value.key) != 0) own.add_setting(value.key + "=" + value.value);
  }
  own.apply(list);
}

std::unique_ptr<model::NetworkChoice> network_choice(const model::ConfigLayers& layers) {
  auto choice = std::make_unique<model::NetworkChoice>();
  model::ParameterList list;
  choice->list(list);
  read_part(layers, list);
  return choice;
}

unsigned unit_width(const model::ConfigLayers& layers) {
  model::ShuffleParams params;
  model::ParameterList list;
  params.list(list);
  read_part(layers, list);
  return params.lanes;
}

}  // namespace shflsim::report
