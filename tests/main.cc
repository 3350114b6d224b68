// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <systemc>

namespace {

/// A warning of the SystemC kernel is a mistake in the model, so it fails the test that is running.
void fail_on_warning(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING) ADD_FAILURE() << report.what();
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(fail_on_warning);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
