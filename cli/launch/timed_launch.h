// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/timing_file.h"
#include "isa/code/program.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// Executes the launch that was measured for a row of a timing file: one block whose kernel
/// repeatedly reads the clock around the timed code. Kernels of a file without notes take (in, out,
/// n, times, repetitions); kernels of a file with notes take (in, out, clocks[, one]), where `one`
/// means that only every fourth warp is timed, so that the timed warps share a sub-partition.
/// Throws InputError if the code cannot be executed.
traces::Trace timed_launch(const isa::Program& program, const TimingRow& row);

}  // namespace shflsim::cli
