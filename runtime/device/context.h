// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/device/errors.h"
#include "runtime/device/heap.h"
#include "runtime/device/launch_files.h"
#include "runtime/device/launcher.h"
#include "runtime/device/machine.h"
#include "runtime/device/module.h"
#include "runtime/protocol/exec_options.h"

namespace shflsim::runtime {

/// The one device of the process and what the program has on it. Work is done when it is asked for,
/// in the order of the calls: every order that streams and events allow has this one among it.
class Context {
 public:
  /// Made by the first call, and never destroyed: programs call the runtime while they end.
  static Context& get();

  std::recursive_mutex& mutex() { return mutex_; }
  /// False outside of `shflsim exec`, if there is no device.
  bool is_there() const { return options_.has_value(); }
  const ExecOptions& options() const { return *options_; }

  // What host code registers.
  Module* add_module(const void* fatbin);
  void add_kernel(Module* module, const void* host, const char* name);
  void add_variable(Module* module, const void* host, const char* name, size_t size);
  void add_managed(Module* module, void** host, const char* name, size_t size);

  Heap& heap() { return heap_; }
  /// The size of the heap that kernels allocate from.
  void set_kernel_heap(uint64_t bytes) { memory_.set_kernel_heap(bytes); }
  /// The device. Throws InputError if its config cannot be used.
  const Machine& machine();
  /// The kernel behind a host function, its program read; nullptr for none.
  Kernel* kernel(const void* host);
  /// Why its program cannot be used; kSuccess where it can.
  Error prepare(Kernel& kernel);
  /// The device variable of a host variable, and its address; nothing for other host variables.
  struct Symbol {
    uint64_t address;
    size_t size;
  };
  std::optional<Symbol> symbol(const void* host);
  /// Whether a __managed__ variable holds the byte at `address`.
  bool is_in_managed_variable(uint64_t address) const;
  /// Gives managed variables of all modules their memory.
  void place_managed();

  Error launch(Kernel& kernel, const LaunchSpec& spec);

  /// Work has been waited for: what kernels have printed appears, and from now on every call
  /// returns the error that ended a kernel.
  Error synchronise();
  Error sticky() const { return sticky_; }
  /// A process whose kernel has ended early gets no device again, as was seen on an H100.
  void reset();

  double now_us() const { return now_us_; }  ///< modelled time

  /// Says a text on standard error, each one once.
  void say_once(const std::string& text);

 private:
  Context();
  /// Executes a launch, and records it where the options name a folder.
  Launched run(const Kernel& kernel, const LaunchSpec& spec);
  /// Writes down what a launch did. The error of a kernel that ended early comes with the next call
  /// that waits.
  Error finish(const Launched& done);
  unsigned choose_arch() const;
  bool load(Module& module);

  std::recursive_mutex mutex_;
  std::optional<ExecOptions> options_;
  isa::DeviceMemory memory_;
  Heap heap_{memory_};
  std::unique_ptr<Machine> machine_;
  std::optional<LaunchFiles> files_;  ///< while launches are recorded
  std::vector<std::unique_ptr<Module>> modules_;
  std::map<const void*, Kernel> kernels_;  ///< by host function
  std::set<const void*> handles_;          ///< addresses of these
  std::map<const void*, Variable> variables_;
  std::set<std::string> said_;
  Error pending_ = kSuccess;  ///< of a kernel that has ended early, until it is waited for
  Error sticky_ = kSuccess;
  /// A kernel could not be executed, which the next call that waits tells once: many programs do
  /// not ask whether a launch began.
  bool refused_ = false;
  double now_us_ = 0;
  std::string printed_;  ///< by kernels, until they are waited for
};

}  // namespace shflsim::runtime
