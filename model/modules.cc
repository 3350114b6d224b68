// SPDX-License-Identifier: Apache-2.0
#include "model/modules.h"

#include <systemc>

#include "model/chip/chip.h"

namespace shflsim::model {
namespace {

void add_with_parts(const Module& module, std::vector<ModuleInstance>* all) {
  all->push_back({module.name(), module.kind(), module.hardware(), module.section()});
  for (const sc_core::sc_object* part : module.get_child_objects()) {
    if (const auto* child = dynamic_cast<const Module*>(part)) add_with_parts(*child, all);
  }
}

}  // namespace

std::vector<ModuleInstance> modules_of(const ConfigLayers& layers) {
  SmParams params;
  ParameterList list;
  params.list(list);
  layers.apply(list);
  traces::Trace nothing;
  nothing.code.has_control = true;
  RunResult result;
  const Chip chip("chip", params, {}, nothing, result);
  sc_core::sc_start();
  std::vector<ModuleInstance> all;
  add_with_parts(chip, &all);
  return all;
}

}  // namespace shflsim::model
