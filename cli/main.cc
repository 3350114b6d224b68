// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <systemc>

#include "cli/command.h"
#include "cli/dispatch.h"
#include "isa/input_error.h"
#include "model/run.h"
#include "report/fault_text.h"

namespace shflsim::cli {

namespace {

int guarded(const std::vector<std::string>& arguments) {
  try {
    const int status = dispatch(arguments);
    std::cout.flush();
    return status;
  } catch (const InputError& error) {
    std::cerr << report::fault_text(error, isatty(STDERR_FILENO) == 1);
    return kBadInput;
  } catch (const model::Deadlock& error) {
    std::cerr << error.what();
    return kDeadlock;
  }
}

}  // namespace
}  // namespace shflsim::cli

/// Called by the SystemC library, whose banner and notices are not part of any result.
int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  return shflsim::cli::guarded({argv + 1, argv + argc});
}

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
