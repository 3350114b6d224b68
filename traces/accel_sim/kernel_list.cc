// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's kernelslist.g: a line for each kernel trace, between lines for memory copies.
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/input_error.h"
#include "traces/accel_sim/import.h"
#include "traces/accel_sim/text_lines.h"
#include "traces/accel_sim/traceg.h"
#include "traces/trace_format.h"

namespace shflsim::traces {
namespace {

/// A kernel trace that a list names.
struct ListedKernel {
  std::string path;
  unsigned line = 0;  ///< line in the list

  std::string stem() const {
    const std::string file = std::filesystem::path(path).filename().string();
    return file.substr(0, file.find('.'));
  }
};

bool looks_like_kernel_list(std::string_view beginning) {
  for (const char* first : {"MemcpyHtoD,", "MemcpyDtoH,", "MemcpyDtoD,", "Memset,", "kernel-"}) {
    const std::string_view word(first);
    if (beginning.substr(0, word.size()) == word) return true;
  }
  return false;
}

/// The kernels in the list's order; paths are relative to the list's folder.
std::vector<ListedKernel> listed_kernels(const std::string& path) {
  TextLines lines(path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::vector<ListedKernel> kernels;
  std::string_view line;
  while (lines.next(&line)) {
    if (line.rfind("kernel", 0) != 0) continue;  // as Accel-Sim does
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    kernels.push_back({(folder / line).string(), lines.number()});
  }
  if (kernels.empty())
    throw InputError({path}, "no kernel in it; expected a line such as kernel-1.traceg");
  return kernels;
}

/// The kernel's name in the trace's header. Throws InputError, with the list's line, without one.
std::string name_of(const std::string& list, const ListedKernel& kernel) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(kernel.path, unknown))
    throw InputError({list, kernel.line, 1},
                     "no file " + kernel.path + "; expected the kernel's trace beside the list");
  TextLines text(kernel.path);
  return TracegHeader(&text).kernel_name();
}

/// The kernels whose file name (without extension) is `name`, or else whose kernel has this name;
/// all if it is "".
std::vector<ListedKernel> chosen(const std::string& path, const std::string& name) {
  std::vector<ListedKernel> kernels = listed_kernels(path);
  if (name.empty()) return kernels;
  std::vector<ListedKernel> found;
  for (const ListedKernel& kernel : kernels) {
    if (kernel.stem() == name) return {kernel};
  }
  std::vector<std::string> known;
  for (const ListedKernel& kernel : kernels) {
    const std::string own = name_of(path, kernel);
    known.push_back(kernel.stem());
    known.push_back(own);
    if (own == name) found.push_back(kernel);
  }
  if (found.empty()) throw InputError({path}, "no kernel '" + name + "'" + suggestion(name, known));
  return found;
}

/// The path of the only kernel in the list, or of the only one with this name.
std::string find_listed_kernel(const std::string& path, const std::string& name) {
  const std::vector<ListedKernel> found = chosen(path, name);
  if (found.size() == 1) {
    name_of(path, found.front());
    return found.front().path;
  }
  std::vector<std::string> stems;
  for (const ListedKernel& kernel : found) stems.push_back(kernel.stem());
  throw InputError({path}, "holds " + std::to_string(found.size()) + " kernels" +
                               (name.empty() ? "" : " '" + name + "'") +
                               "; choose one with --kernel" + suggestion("", stems));
}

/// Opens every trace, so that errors in any of them are reported before any work.
std::vector<std::string> stems(const std::string& path) {
  std::vector<std::string> names;
  for (const ListedKernel& kernel : listed_kernels(path)) {
    name_of(path, kernel);
    names.push_back(kernel.stem());
  }
  return names;
}

Trace open_listed_launch(const std::string& path, const TraceChoice& choice, LaunchShape* shape) {
  return open_traceg(find_listed_kernel(path, choice.kernel), UnknownLanes(choice.unknown_lanes),
                     shape);
}

const bool kernel_list_registered = TraceFormats::add(
    {"kernelslist", "Accel-Sim's list of kernel traces, kernelslist.g",
     [](const std::string& path) { return looks_like_kernel_list(first_line(path)); }, stems,
     open_listed_launch, true, true});

}  // namespace
}  // namespace shflsim::traces
