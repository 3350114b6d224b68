// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/launch/timing_file.h"
#include "isa/code/program.h"
#include "traces/trace.h"

namespace shflsim::cli {

/// The launch that was measured for a row of a timing file: one block whose kernel
/// repeatedly reads the clock around the timed code. It is executed while it is timed. Kernels of a
/// file without notes take (in, out, n, times, repetitions); kernels of a file with notes take (in,
/// out, clocks[, one]), where `one` means that only every fourth warp is timed, so that the timed
/// warps share a sub-partition. The program must outlive the trace. Throws InputError if the code
/// cannot be executed.
std::shared_ptr<const traces::Trace> timed_launch(const isa::Program& program,
                                                  const TimingRow& row);

}  // namespace shflsim::cli
