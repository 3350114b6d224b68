// SPDX-License-Identifier: Apache-2.0
#include "model/run.h"

#include <memory>
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

/// A simulation context of its own for what is elaborated while it lives, since SystemC elaborates
/// once in a context. All that the kernel keeps goes with it.
class Simulation {
 public:
  Simulation()
      : current_before_(sc_core::sc_curr_simcontext),
        default_before_(sc_core::sc_default_global_context),
        context_(std::make_unique<sc_core::sc_simcontext>()) {
    sc_core::sc_curr_simcontext = context_.get();
    sc_core::sc_default_global_context = context_.get();
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation() {
    context_.reset();  // which looks for its objects in the current context
    sc_core::sc_curr_simcontext = current_before_;
    sc_core::sc_default_global_context = default_before_;
  }

 private:
  sc_core::sc_simcontext* const current_before_;
  sc_core::sc_simcontext* const default_before_;
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

}  // namespace

const std::vector<Stat>& instruction_stats() {
  static const std::vector<Stat> stats = Sm::list_counts();
  return stats;
}

std::vector<ConfigValue> effective_config(const ConfigLayers& layers) {
  SmParams params;
  return apply(layers, &params);
}

RunResult run(const traces::Trace& trace, const ConfigLayers& layers, unsigned sms) {
  RunResult result;
  SmParams params;
  result.config = apply(layers, &params);
  const Simulation simulation;
  Chip chip("chip", params, sms, trace, result);
  if (!chip.fits()) {
    throw InputError("a block of " + std::to_string(trace.threads_per_block) + " threads with " +
                     std::to_string(trace.code.registers) + " registers and " +
                     std::to_string(trace.shared_bytes) +
                     " bytes of shared memory does not fit the SM");
  }
  sc_core::sc_start();
  chip.rethrow_failure();
  if (!chip.deadlock().empty())
    throw Deadlock("no progress; every resident warp waits:\n" + chip.deadlock());
  chip.collect();
  return result;
}

}  // namespace shflsim::model
