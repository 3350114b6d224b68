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

/// The only device of the process and its state. Work is done at the time of the call, in the order
/// of the calls, which is one of the orders that streams and events allow.
class Context {
 public:
  /// Made by the first call and never destroyed, since programs call the runtime while they end.
  static Context& get();

  std::recursive_mutex& mutex() { return mutex_; }
  /// False outside of `shflsim exec`: there is no device.
  bool is_there() const { return options_.has_value(); }
  const ExecOptions& options() const { return *options_; }

  // Registration by host code.
  Module* add_module(const void* fatbin);
  void add_kernel(Module* module, const void* host, const char* name);
  void add_variable(Module* module, const void* host, const char* name, size_t size);
  void add_managed(Module* module, void** host, const char* name, size_t size);

  Heap& heap() { return heap_; }
  /// Sets the size of the heap from which kernels allocate.
  void set_kernel_heap(uint64_t bytes) { memory_.set_kernel_heap(bytes); }
  /// The device. Throws InputError if its config cannot be used.
  const Machine& machine();
  /// The kernel of a host function, with its program read; nullptr if there is none.
  Kernel* kernel(const void* host);
  /// Reads the program of the kernel. Returns why it cannot be used, or kSuccess.
  Error prepare(Kernel& kernel);
  /// The device variable of a host variable; none if the host variable has no device variable.
  struct Symbol {
    uint64_t address;
    size_t size;
  };
  std::optional<Symbol> symbol(const void* host);
  /// True if a __managed__ variable contains the byte at `address`.
  bool is_in_managed_variable(uint64_t address) const;
  /// Allocates the managed variables of all modules.
  void place_managed();

  Error launch(Kernel& kernel, const LaunchSpec& spec);

  /// Called when the program waits for work: prints what kernels have printed. Every later call
  /// returns the error that ended a kernel.
  Error synchronise();
  Error sticky() const { return sticky_; }
  /// After a kernel ended early, a reset does not make the device usable again (seen on an H100).
  void reset();

  double now_us() const { return now_us_; }  ///< modelled time

  /// Prints a text on standard error, each text once.
  void say_once(const std::string& text);

 private:
  Context();
  /// Executes a launch, and records it if the options name a folder.
  Launched run(const Kernel& kernel, const LaunchSpec& spec);
  /// Reports what a launch did. The error of a kernel that ended early is returned by the next call
  /// that waits.
  Error finish(const Launched& done);
  unsigned choose_arch() const;
  bool load(Module& module);

  std::recursive_mutex mutex_;
  std::optional<ExecOptions> options_;
  isa::DeviceMemory memory_;
  Heap heap_{memory_};
  std::unique_ptr<Machine> machine_;
  std::optional<LaunchFiles> files_;  ///< set while launches are recorded
  std::vector<std::unique_ptr<Module>> modules_;
  std::map<const void*, Kernel> kernels_;  ///< by host function
  std::set<const void*> handles_;          ///< addresses of the kernels
  std::map<const void*, Variable> variables_;
  std::set<std::string> said_;
  Error pending_ = kSuccess;  ///< error of a kernel that ended early, until a call waits for it
  Error sticky_ = kSuccess;
  /// True if a kernel could not be executed. The next call that waits reports this once, because
  /// many programs do not check launches.
  bool refused_ = false;
  double now_us_ = 0;
  uint64_t launches_ = 0;
  std::string printed_;  ///< by kernels, until a call waits for them
};

}  // namespace shflsim::runtime
