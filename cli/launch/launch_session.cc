// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/launch_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/launch/chips.h"
#include "cli/launch/recorded_launch.h"
#include "cli/options/machine_choice.h"
#include "isa/base/input_error.h"
#include "isa/machine/variables.h"

namespace shflsim::cli {
std::string LaunchSession::where(const LaunchStep& step) const {
  return file_.path + ":" + std::to_string(step.line);
}

LaunchSession::Module& LaunchSession::module(const std::string& path,
                                             const std::string& architecture) {
  const std::pair<std::string, std::string> key(path, architecture);
  const auto found = modules_.find(key);
  if (found != modules_.end()) return found->second;
  Module loaded;
  loaded.source = isa::open_source(path, {architecture, {}, isa::refusal_of});
  return modules_.emplace(key, std::move(loaded)).first->second;
}

LaunchSession::Prepared LaunchSession::prepare(const LaunchStep& step) {
  const std::string path = file_.beside(step.code);
  Module& loaded = module(path, step.architecture);
  Prepared prepared{isa::find_kernel(*loaded.source, step.kernel, path), {}};
  const isa::Program& program = prepared.program;
  isa::Launch& launch = prepared.launch;
  launch.grid = step.grid;
  launch.block = step.block;
  launch.shared_bytes = step.shared_bytes;
  launch.cluster = step.cluster;
  launch.is_cooperative = step.is_cooperative;
  isa::check_shared_memory(program, launch, {file_.path, step.line});
  launch.local_bytes = std::max(launch.local_bytes, uint32_t{program.local_bytes});
  set_variables(step, program, &loaded, &launch);
  launch.parameters = parameter_area(arguments(step), program);
  return prepared;
}

traces::Trace LaunchSession::execute(const Prepared& prepared) {
  return recorded({prepared.program, prepared.launch, memory_, machine_},
                  MachineChoice().layers(machine_of(prepared.program.arch)));
}

std::shared_ptr<const traces::LiveLaunch> LaunchSession::live(const Prepared& prepared) {
  return std::make_shared<traces::LiveLaunch>(prepared.program, prepared.launch, memory_, machine_);
}

uint64_t LaunchSession::holder_of(size_t bytes, const std::string& buffer,
                                  const LaunchStep& step) const {
  const uint64_t address = arguments_.address_of(buffer, where(step));
  const size_t size = memory_.bytes(address).size();
  if (size >= bytes) return address;
  throw InputError({file_.path, step.line},
                   fmt::format("buffer '{}' of {} bytes; expected {} at least, for variables",
                               buffer, size, bytes));
}

/// Uses the variables in the step's buffers, or the code's own, which all its launches share.
void LaunchSession::set_variables(const LaunchStep& step, const isa::Program& program,
                                  Module* loaded, isa::Launch* launch) {
  const bool has_own = step.variables.empty() && step.constants.empty();
  if (has_own) isa::place_variables(program, memory_, &loaded->places);
  for (const std::string& spec : step.buffers)
    arguments_.add_buffer(spec, where(step) + ": buffers " + spec);
  if (has_own) return isa::use_variables(program, loaded->places, launch);
  isa::VariablePlaces places;
  if (!step.variables.empty())
    places.image = holder_of(program.variables.size(), step.variables, step);
  const auto bank = program.constants.find(isa::Program::kUserConstants);
  const size_t constant_bytes = bank == program.constants.end() ? 0 : bank->second.size();
  if (!step.constants.empty()) places.constants = holder_of(constant_bytes, step.constants, step);
  isa::place_variables(program, memory_, &places);
  isa::use_variables(program, places, launch);
  if (!step.constants.empty())
    launch->constants[isa::Program::kUserConstants] = bytes_of(step.constants, step);
}

std::vector<Argument> LaunchSession::arguments(const LaunchStep& step) {
  std::vector<Argument> all;
  for (const std::string& spec : step.arguments)
    all.push_back(arguments_.read(spec, where(step) + ": args " + spec));
  return all;
}

const std::vector<uint8_t>& LaunchSession::bytes_of(const std::string& buffer,
                                                    const LaunchStep& step) const {
  return memory_.bytes(arguments_.address_of(buffer, where(step)));
}

}  // namespace shflsim::cli
