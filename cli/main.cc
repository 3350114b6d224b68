// SPDX-License-Identifier: Apache-2.0
#include "cli/options/program.h"

int sc_main(int argc, char** argv) { return shflsim::cli::run_program(argc, argv); }

int main(int argc, char** argv) { return shflsim::cli::start_program(argc, argv); }
