// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "traces/accel_sim/unknown_lanes.h"
#include "traces/shft/program_section.h"

namespace shflsim::traces {

/// Reads an Accel-Sim kernel trace and writes it as a .shft file; memory is needed for the code,
/// not for the trace. Each instruction is timed by its class, dependences by scoreboard; SHFL's
/// destination, which the tracer lists as its first source, is put right. Throws InputError for
/// what cannot be read or written.
void import_traceg(const std::string& path, const std::string& shft, UnknownLanes unknown);

/// Kernel traces that a kernelslist.g names, in its order, with the kernels' names.
struct ListedKernel {
  std::string path;
  std::string name;
};
std::vector<ListedKernel> listed_kernels(const std::string& path);
/// The only kernel of the list, or the one whose name or file name (without ending) is `name`.
/// Throws InputError where there is no such one.
std::string find_listed_kernel(const std::string& path, const std::string& name);

/// True for text that begins as a kernelslist.g does.
bool looks_like_kernel_list(std::string_view beginning);

/// Header lines of the trace that a .shft file keeps as notes: "accel-sim nvbit version".
extern const char* const kTracegNote;

}  // namespace shflsim::traces
