// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/compare_inputs.h"

#include <memory>
#include <utility>

#include "cli/launch/launch_run.h"
#include "cli/launch/launches.h"
#include "report/terminal/messages.h"

namespace shflsim::cli {
namespace {

report::Workload workload_of(traces::Trace trace, const report::Origin& origin) {
  const std::string name = trace.code.name;
  return {printable(name), std::move(trace), origin};
}

ComparedInput launch_file(const std::string& path, const InputOptions& options,
                          const MachineChoice& choice) {
  ComparedInput compared;
  compared.path = path;
  refuse_launch_options(path, options);
  if (!choice.is_made()) compared.machine = machine_of(launched_kernels(path), path);
  compared.open = [path, machine = options.execution.machine()] {
    std::vector<report::Workload> all;
    for (traces::Trace& trace : executed_launches(path, machine))
      all.push_back(workload_of(std::move(trace), {path}));
    return all;
  };
  return compared;
}

ComparedInput one_launch(const std::shared_ptr<const Input>& input, const MachineChoice& choice) {
  ComparedInput compared;
  compared.path = input->path();
  if (!choice.is_made()) compared.machine = input->machine(choice);
  compared.open = [input] {
    Launch launch = input->launch();
    std::vector<report::Workload> all;
    all.push_back(workload_of(std::move(launch.trace), launch.origin));
    return all;
  };
  return compared;
}

}  // namespace

std::vector<ComparedInput> compared_inputs(const Strings& files, const InputOptions& options,
                                           const MachineChoice& choice) {
  std::vector<ComparedInput> inputs;
  for (const std::string& text : files) {
    if (is_launch_file(text)) {
      inputs.push_back(launch_file(text, options, choice));
      continue;
    }
    auto input = std::make_shared<const Input>(text, options);
    const Strings listed = listed_launches(*input);
    if (listed.empty()) inputs.push_back(one_launch(input, choice));
    for (const std::string& launch : listed)
      inputs.push_back(one_launch(std::make_shared<const Input>(launch, options), choice));
  }
  return inputs;
}

}  // namespace shflsim::cli
