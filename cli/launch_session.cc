// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_session.h"

#include <algorithm>
#include <utility>

#include "isa/input_error.h"
#include "isa/machine/variables.h"
#include "traces/recorder.h"

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
  loaded.source = isa::open_source(path, architecture);
  return modules_.emplace(key, std::move(loaded)).first->second;
}

LaunchSession::Prepared LaunchSession::prepare(const LaunchStep& step) {
  const std::string path = file_.beside(step.code);
  Module& loaded = module(path, step.architecture);
  Prepared prepared{isa::find_kernel(*loaded.source, step.kernel, path), {}};
  const isa::Program& program = prepared.program;
  if (!loaded.placed) loaded.variables = isa::place_variables(program, memory_);
  loaded.placed = true;

  isa::Launch& launch = prepared.launch;
  launch.grid = step.grid;
  launch.block = step.block;
  launch.shared_bytes = step.shared_bytes;
  isa::check_shared_memory(program, launch, {file_.path, step.line});
  launch.local_bytes = std::max(launch.local_bytes, uint32_t{program.local_bytes});
  launch.constants = isa::constants_with_addresses(program, loaded.variables);
  launch.parameters = parameter_area(arguments(step), program);
  return prepared;
}

traces::Trace LaunchSession::execute(const Prepared& prepared) {
  isa::Outcome outcome;
  return traces::record(prepared.program, prepared.launch, memory_, machine_, &outcome);
}

std::vector<Argument> LaunchSession::arguments(const LaunchStep& step) {
  std::vector<Argument> all;
  for (const std::string& spec : step.arguments) all.push_back(argument(spec, step));
  return all;
}

Argument LaunchSession::argument(const std::string& spec, const LaunchStep& step) {
  const std::string option = where(step) + ": args " + spec;
  const size_t equals = spec.find('=');
  const bool has_kind = spec.find(':') != std::string::npos;
  if (equals == std::string::npos && !has_kind) return pointer_to(address_of(spec, step), spec);
  const std::string name = equals == std::string::npos ? "" : spec.substr(0, equals);
  const std::string folder = file_.beside("");
  Argument made = read_argument(equals == std::string::npos ? spec : spec.substr(equals + 1),
                                folder, option, memory_);
  if (name.empty()) return made;
  if (!made.buffer) throw InputError(option + ": is no buffer; expected file: or fill:");
  if (!buffers_.emplace(name, *made.buffer).second) {
    throw InputError(option + ": buffer '" + name + "' is there already; expected a new name");
  }
  return made;
}

uint64_t LaunchSession::address_of(const std::string& name, const LaunchStep& step) const {
  const auto found = buffers_.find(name);
  if (found != buffers_.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [buffer, address] : buffers_) known.push_back(buffer);
  throw InputError(where(step) + ": no buffer '" + name + "'" +
                   (known.empty() ? "; expected NAME=file:PATH or NAME=fill:BYTES:HEX first"
                                  : suggestion(name, known)));
}

const std::vector<uint8_t>& LaunchSession::bytes_of(const std::string& buffer,
                                                    const LaunchStep& step) const {
  return memory_.bytes(address_of(buffer, step));
}

}  // namespace shflsim::cli
