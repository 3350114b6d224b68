// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's kernelslist.g: a line for each kernel trace, among lines of memory copies.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "isa/input_error.h"
#include "traces/accel_sim/import.h"
#include "traces/accel_sim/text_lines.h"
#include "traces/accel_sim/traceg.h"
#include "traces/trace_format.h"

namespace shflsim::traces {
namespace {

/// Kernel traces that the list names, in its order, with the kernels' names.
struct ListedKernel {
  std::string path;
  std::string name;

  std::string stem() const {
    const std::string file = std::filesystem::path(path).filename().string();
    return file.substr(0, file.find('.'));
  }
};

bool looks_like_kernel_list(std::string_view beginning) {
  for (const char* first : {"MemcpyHtoD,", "kernel-"}) {
    const std::string_view word(first);
    if (beginning.substr(0, word.size()) == word) return true;
  }
  return false;
}

std::vector<ListedKernel> listed_kernels(const std::string& path) {
  TextLines lines(path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::vector<ListedKernel> kernels;
  std::string_view line;
  while (lines.next(&line)) {
    if (line.rfind("kernel", 0) != 0) continue;  // as Accel-Sim does
    const std::string trace = (folder / line.substr(0, line.find_last_not_of(" \t") + 1)).string();
    TextLines text(trace);
    kernels.push_back({trace, TracegHeader(&text).kernel_name()});
  }
  if (kernels.empty())
    throw InputError({path}, "no kernel in it; expected a line such as kernel-1.traceg");
  return kernels;
}

/// The only kernel of the list, or the one whose name or file name (without ending) is `name`.
std::string find_listed_kernel(const std::string& path, const std::string& name) {
  const std::vector<ListedKernel> kernels = listed_kernels(path);
  if (name.empty() && kernels.size() == 1) return kernels.front().path;
  std::vector<std::string> known;
  std::vector<std::string> found;
  for (const ListedKernel& kernel : kernels) {
    known.push_back(kernel.stem());
    known.push_back(kernel.name);
    if (kernel.stem() == name || kernel.name == name) found.push_back(kernel.path);
  }
  if (found.size() == 1) return found.front();
  if (found.empty() && !name.empty())
    throw InputError({path}, "no kernel '" + name + "'" + suggestion(name, known));
  throw InputError({path}, "holds " + std::to_string(kernels.size()) +
                               " kernels; choose one with --kernel" + suggestion("", known));
}

std::vector<std::string> stems(const std::string& path) {
  std::vector<std::string> names;
  for (const ListedKernel& kernel : listed_kernels(path)) names.push_back(kernel.stem());
  return names;
}

Trace open_launch(const std::string& path, const TraceChoice& choice, LaunchShape* shape) {
  return open_traceg(find_listed_kernel(path, choice.kernel), UnknownLanes(choice.unknown_lanes),
                     shape);
}

const bool registered = TraceFormats::add(
    {"kernelslist", "Accel-Sim's list of kernel traces, kernelslist.g",
     [](const std::string& path) { return looks_like_kernel_list(first_line(path)); }, stems,
     open_launch});

}  // namespace
}  // namespace shflsim::traces
