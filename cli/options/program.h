// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Called by the SystemC library; declared here as the library declares it.
extern "C" int sc_main(int argc, char** argv);

namespace shflsim::cli {

/// The whole program. A `main` and an `sc_main` pass their arguments to these functions and return
/// their results.

/// For `main`: sets up signals, streams and the SystemC library, which calls `sc_main`. Call it
/// once per process.
int start_program(int argc, char** argv);
/// For `sc_main`: suppresses SystemC's banner and notices, and does what the arguments ask for.
int run_program(int argc, char** argv);

}  // namespace shflsim::cli
