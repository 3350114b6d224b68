// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <systemc>

#include "model/core/simulation.h"

namespace {

/// A warning of the SystemC kernel is a mistake in the model, so it fails the test that is running.
void fail_on_warning(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING) ADD_FAILURE() << report.what();
  sc_core::sc_report_handler::default_handler(report, actions);
}

/// Gives each test its own SystemC kernel, so that all tests of a program run in one process.
class FreshKernel : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override {
    simulation_ = std::make_unique<shflsim::model::Simulation>();
  }
  void OnTestEnd(const testing::TestInfo&) override { simulation_.reset(); }

  std::unique_ptr<shflsim::model::Simulation> simulation_;
};

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(fail_on_warning);
  testing::InitGoogleTest(&argc, argv);
  // GoogleTest deletes the listener.
  testing::UnitTest::GetInstance()->listeners().Append(new FreshKernel);
  return RUN_ALL_TESTS();
}
