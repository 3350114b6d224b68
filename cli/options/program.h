// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Called by the SystemC library; declared here as it declares it.
extern "C" int sc_main(int argc, char** argv);

namespace shflsim::cli {

/// The whole program, to be called from a `main` and an `sc_main`, whose arguments and results it
/// uses.

/// For `main`: sets up signals, streams and the SystemC library, which calls `sc_main`. Once a
/// process.
int start_program(int argc, char** argv);
/// For `sc_main`, whose banner and notices are not part of any result: does what the arguments ask.
int run_program(int argc, char** argv);

}  // namespace shflsim::cli
