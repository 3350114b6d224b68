// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <systemc>

namespace shflsim::model {

/// A SystemC context for everything that is elaborated while this object lives, because SystemC
/// elaborates only once per context. Its state ends with this object.
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
    context_.reset();  // the destructor looks for objects in the current context
    sc_core::sc_curr_simcontext = current_before_;
    sc_core::sc_default_global_context = default_before_;
  }

 private:
  sc_core::sc_simcontext* const current_before_;
  sc_core::sc_simcontext* const default_before_;
  std::unique_ptr<sc_core::sc_simcontext> context_;
};

}  // namespace shflsim::model
