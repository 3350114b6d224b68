// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/context.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "isa/base/input_error.h"
#include "isa/codec/arch.h"

namespace shflsim::runtime {
namespace {

/// Appends a line to a file to which other processes may write at the same time.
void append_line(const std::string& path, const std::string& line) {
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  const std::string whole = line + "\n";
  if (write(file, whole.data(), whole.size()) < 0) std::perror("shflsim exec");
  close(file);
}

}  // namespace

Context& Context::get() {
  static Context* const context = new Context;
  return *context;
}

Context::Context() : options_(ExecOptions::of_environment()) {
  if (options_ && !options_->record.empty()) files_.emplace(options_->record);
}

void Context::say_once(const std::string& text) {
  if (!said_.insert(text).second) return;
  std::fprintf(stderr, "shflsim exec: %s\n", text.c_str());
}

Module* Context::add_module(const void* fatbin) {
  modules_.push_back(std::make_unique<Module>(fatbin));
  return modules_.back().get();
}

void Context::add_kernel(Module* module, const void* host, const char* name) {
  Kernel& kernel = kernels_[host];
  kernel = {module, name};
  handles_.insert(&kernel);
}

void Context::add_variable(Module* module, const void* host, const char* name, size_t size) {
  variables_[host] = {module, name, size};
}

void Context::add_managed(Module* module, void** host, const char* name, size_t size) {
  variables_[host] = {module, name, size, host};
}

/// The newest architecture for which any module has a cubin. PTX is lowered to code of sm_50.
unsigned Context::choose_arch() const {
  constexpr unsigned kLowered = 50;
  if (options_->arch != 0) return options_->arch;
  unsigned newest = 0;
  for (const auto& module : modules_) {
    for (const unsigned number : module->cubins()) {
      if (isa::arch_numbered(number)) newest = std::max(newest, number);
    }
  }
  return newest == 0 ? kLowered : newest;
}

const Machine& Context::machine() {
  if (machine_ == nullptr) machine_ = std::make_unique<Machine>(*options_, choose_arch());
  return *machine_;
}

bool Context::load(Module& module) { return module.load(machine().arch, heap_); }

Kernel* Context::kernel(const void* host) {
  const auto found = kernels_.find(host);
  if (found != kernels_.end()) return &found->second;
  if (handles_.count(host) == 0) return nullptr;
  return static_cast<Kernel*>(const_cast<void*>(host));  // a handle from __cudaGetKernel
}

Error Context::prepare(Kernel& kernel) {
  if (kernel.program != nullptr) return kSuccess;
  try {
    if (!load(*kernel.module)) {
      say_once("the program has no code for sm_" + std::to_string(machine().arch) +
               " with kernel " + kernel.name);
      return kNoKernelImageForDevice;
    }
    if (!kernel.module->has_kernel(kernel.name)) return kInvalidDeviceFunction;
    kernel.program = &kernel.module->program(kernel.name);
    kernel.most_threads = kernel.module->most_threads(kernel.name);
  } catch (const InputError& error) {
    say_once(error.what());
    refused_ = true;
    return kNotSupported;
  }
  return kSuccess;
}

std::optional<Context::Symbol> Context::symbol(const void* host) {
  const auto found = variables_.find(host);
  if (found == variables_.end()) return std::nullopt;
  Variable& variable = found->second;
  if (!load(*variable.module)) return std::nullopt;
  const uint64_t address = variable.module->address_of(variable.name);
  if (address == 0) return std::nullopt;
  return Symbol{address, variable.size};
}

bool Context::is_in_managed_variable(uint64_t address) const {
  return std::any_of(variables_.begin(), variables_.end(), [address](const auto& each) {
    const Variable& variable = each.second;
    if (variable.managed == nullptr) return false;
    const auto first = reinterpret_cast<uint64_t>(*variable.managed);
    return address >= first && address - first < variable.size;
  });
}

void Context::place_managed() {
  for (auto& [host, variable] : variables_) {
    if (variable.managed == nullptr || *variable.managed != nullptr) continue;
    if (!load(*variable.module)) continue;
    *variable.managed = reinterpret_cast<void*>(variable.module->address_of(variable.name));
  }
}

Error Context::launch(Kernel& kernel, const LaunchSpec& spec) {
  if (pending_ != kSuccess) return kSuccess;  // the device has stopped
  const Error refused = refusal_of(kernel, spec, machine());
  if (refused != kSuccess) return refused;
  LaunchSpec numbered = spec;
  numbered.number = ++launches_;
  return finish(run(kernel, numbered));
}

Launched Context::run(const Kernel& kernel, const LaunchSpec& spec) {
  if (!files_) return run_launch(kernel, spec, machine(), *options_, memory_);
  files_->keep(heap_, memory_);
  Launched done = run_launch(kernel, spec, machine(), *options_, memory_);
  try {
    done.row.launch_file = files_->write(kernel, spec, done, memory_);
  } catch (const InputError& error) {
    say_once(std::string("launches are no longer recorded: ") + error.what());
    files_.reset();
  }
  return done;
}

Error Context::finish(const Launched& done) {
  printed_ += done.printed;
  if (!options_->rows.empty()) append_line(options_->rows, done.row.text());
  now_us_ += done.row.microseconds();
  if (done.error == kSuccess) return kSuccess;
  say_once(done.message);
  if (done.error == kNotSupported) {
    refused_ = true;
    return kNotSupported;
  }
  pending_ = done.error;
  return kSuccess;
}

Error Context::synchronise() {
  if (!printed_.empty()) std::fwrite(printed_.data(), 1, printed_.size(), stdout);
  printed_.clear();
  if (pending_ != kSuccess) sticky_ = pending_;
  const bool is_told = std::exchange(refused_, false);
  return sticky_ == kSuccess && is_told ? kNotSupported : sticky_;
}

void Context::reset() {
  const bool has_failed = synchronise() != kSuccess;
  pending_ = kSuccess;
  sticky_ = has_failed ? kDevicesUnavailable : kSuccess;
}

}  // namespace shflsim::runtime
