// SPDX-License-Identifier: Apache-2.0
#include "model/run.h"

#include <systemc>

#include "isa/input_error.h"
#include "model/chip/chip.h"

namespace shflsim::model {
namespace {

std::vector<ConfigValue> apply(const ConfigLayers& layers, SmParams* params) {
  ParameterList list;
  params->list(list);
  return layers.apply(list);
}

}  // namespace

std::vector<ConfigValue> effective_config(const ConfigLayers& layers) {
  SmParams params;
  return apply(layers, &params);
}

RunResult run(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms) {
  RunResult result;
  SmParams params;
  result.config = apply(layers, &params);
  Chip chip("chip", params, sms, trace, result);
  if (!chip.fits()) {
    throw InputError("a block of " + std::to_string(trace.threads_per_block) + " threads with " +
                     std::to_string(trace.code.registers) + " registers and " +
                     std::to_string(trace.shared_bytes) +
                     " bytes of shared memory does not fit the SM");
  }
  sc_core::sc_start();
  if (!chip.deadlock().empty())
    throw Deadlock("no progress; every resident warp waits:\n" + chip.deadlock());
  chip.collect();
  return result;
}

}  // namespace shflsim::model
