// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/launch/timing_file.h"
#include "isa/code/program.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// The launch that a timing file's row was measured with, executed: one block whose kernel reads
/// the clock around what it times and does so several times over. A file without notes is of
/// kernels (in, out, n, times, repetitions); one with notes of kernels (in, out, clocks[, one]),
/// where `one` says that only every fourth warp is timed, so that these share a sub-partition.
/// Throws InputError for what cannot be executed.
traces::Trace timed_launch(const isa::Program& program, const TimingRow& row);

}  // namespace shflsim::cli
