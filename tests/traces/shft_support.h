// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "traces/shft/program_section.h"
#include "traces/trace.h"

namespace shflsim::traces {

/// A random program, its launch, and its trace in memory. Odd seeds have control bits.
struct RandomRun {
  explicit RandomRun(uint32_t seed);

  isa::Program program;
  isa::Launch launch;
  Trace trace;
};

/// A file that is deleted with the object.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& name);
  ~TemporaryFile();
  const std::string path;
};

/// Everything in a trace that the model and the reports can read, as text: code, launch, findings,
/// and each warp's steps with their lane maps and addresses.
std::string described(const Trace& trace);

}  // namespace shflsim::traces
