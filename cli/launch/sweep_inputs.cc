// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/sweep_inputs.h"

#include <glob.h>

#include <filesystem>
#include <set>
#include <utility>

#include "cli/launch/launch_run.h"
#include "cli/launch/launches.h"
#include "cli/launch/shown_work.h"
#include "isa/base/faults.h"
#include "sweep/shell_words.h"

namespace shflsim::cli {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

Strings matches(const std::string& pattern) {
  glob_t found{};
  Strings paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

/// The files of a pattern, each with the kernel if the pattern names one.
Strings files_of(const model::Assignment& pattern, const std::string& folder) {
  const std::string whole = (fs::path(folder) / pattern.value).string();
  if (pattern.value == "-") return {pattern.value};
  Strings files = matches(whole);
  const size_t colon = whole.rfind(':');
  if (files.empty() && colon != std::string::npos) {
    files = matches(whole.substr(0, colon));
    for (std::string& file : files) file += whole.substr(colon);
  }
  if (!files.empty()) return files;
  Strings beside;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fs::path(whole).parent_path(), error))
    beside.push_back((fs::path(pattern.value).parent_path() / entry.path().filename()).string());
  const std::string nearest = nearest_name(pattern.value, beside);
  throw InputError(pattern.where(), "no file '" + pattern.value + "'" +
                                        (nearest.empty() ? "; expected code, traces or launch files"
                                                         : "; did you mean '" + nearest + "'?"));
}

sweep::Input launch_file(const std::string& path, const InputOptions& options) {
  refuse_launch_options(path, options);
  const isa::MachineOptions machine = options.execution.machine();
  sweep::Input input;
  input.label = path;
  const std::vector<LaunchedKernel> kernels = launched_kernels(path);
  for (const LaunchedKernel& kernel : kernels) input.kernels.push_back(kernel.name);
  input.machine = machine_of(kernels, path);
  input.command = "--launch " + sweep::shell_word(path);
  input.open = [path, machine] { return executed_launches(path, machine); };
  return input;
}

std::string joined_words(const report::Origin& origin) {
  std::string words;
  for (const std::string& each : origin.arguments) {
    const size_t blank = each.find(' ');
    words += " " + each.substr(0, blank);
    if (blank != std::string::npos) words += " " + sweep::shell_word(each.substr(blank + 1));
  }
  return words;
}

sweep::Input one_launch(const Input& opened, const InputOptions& options,
                        const MachineChoice& machine) {
  const std::string text = opened.origin().input;
  sweep::Input input;
  input.label = text;
  input.kernels = {opened.prepared_kernel()};
  input.machine = opened.machine(machine);
  input.arguments = joined_words(opened.origin());
  input.command = sweep::shell_word(text) + input.arguments;
  input.open = [text, options] {
    std::vector<traces::Trace> traces;
    traces.push_back(Input(text, options).launch().trace);
    return traces;
  };
  return input;
}

/// Calls `read` and stores the files that it opened in the input.
template <class Read>
sweep::Input with_files(Read read) {
  const isa::OpenedFiles opened;
  sweep::Input input = read();
  input.files = opened.paths();
  input.digest = sweep::digest_of_files(input.files);
  return input;
}

/// Adds the inputs of a file: one launch, or each launch of a list.
void add_inputs(const std::string& text, const InputOptions& options, const MachineChoice& machine,
                std::vector<sweep::Input>* inputs) {
  if (is_launch_file(text)) {
    inputs->push_back(with_files([&] { return launch_file(text, options); }));
    return;
  }
  Strings launches = listed_launches(Input(text, options));
  if (launches.empty()) launches = {text};
  for (const std::string& each : launches) {
    inputs->push_back(
        with_files([&] { return one_launch(Input(each, options), options, machine); }));
  }
}

}  // namespace

std::vector<sweep::Input> sweep_inputs(const sweep::Spec& spec, const InputOptions& options,
                                       const MachineChoice& machine) {
  const std::string folder = fs::path(spec.path).parent_path().string();
  std::vector<sweep::Input> inputs;
  std::set<std::string> seen;
  Faults faults;
  const ShownWork shown;
  for (const model::Assignment& pattern : spec.inputs) {
    faults.hold([&] {
      for (const std::string& file : files_of(pattern, folder)) {
        if (seen.insert(file).second) add_inputs(file, options, machine, &inputs);
      }
    });
  }
  faults.raise();
  for (sweep::Input& input : inputs) {
    if (!folder.empty() && input.label.rfind(folder + "/", 0) == 0)
      input.label = input.label.substr(folder.size() + 1);
  }
  return inputs;
}

}  // namespace shflsim::cli
