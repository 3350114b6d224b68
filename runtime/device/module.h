// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "isa/code/program.h"
#include "isa/dialects/fatbin_entries.h"
#include "isa/dialects/source.h"
#include "isa/machine/variables.h"
#include "runtime/device/heap.h"

namespace shflsim::runtime {

class Module;

/// A kernel of a program, as host code registers it.
struct Kernel {
  Module* module = nullptr;
  std::string name;
  const isa::Program* program = nullptr;  ///< nullptr until it is needed
  uint32_t most_threads = 0;              ///< of a block, where the code says that; 0 if not
  int most_dynamic_shared = 0;            ///< bytes that the program has opted in to; 0: has not
  int carveout = -1;                      ///< percent of shared memory that it prefers; -1: none
  bool has_large_clusters = false;        ///< it has opted in to more than eight blocks
};

/// A __device__, __constant__ or __managed__ variable, as host code registers it.
struct Variable {
  Module* module = nullptr;
  std::string name;
  size_t size = 0;
  void** managed = nullptr;  ///< host's pointer to a managed variable
};

/// The device code that one fat binary of a program brings, its cubin for the device.
class Module {
 public:
  /// `fatbin`: the header that host code registers points to it. Throws InputError if it is no
  /// fat binary.
  explicit Module(const void* fatbin);

  /// Numbers of the architectures that it has cubins for, and of those that it has PTX for.
  std::vector<unsigned> cubins() const { return numbers(isa::FatbinEntry::Kind::kCubin); }
  std::vector<unsigned> ptx() const { return numbers(isa::FatbinEntry::Kind::kPtx); }

  /// Takes the code for a device of this architecture and places its variables. False if it has
  /// none. Throws InputError for damaged code.
  bool load(unsigned arch, Heap& heap);
  /// The whole kernel. Throws InputError if the machine cannot execute it.
  const isa::Program& program(const std::string& kernel);
  bool has_kernel(const std::string& kernel) const;
  uint32_t most_threads(const std::string& kernel) const { return source_->most_threads(kernel); }

  /// The device address of a variable; 0 if it is not there.
  uint64_t address_of(const std::string& variable) const;
  const isa::VariablePlaces& places() const { return places_; }
  /// Gives a launch its variables and constant banks, as host code has written them.
  void give_variables(const isa::Program& program, isa::Launch* launch) const;
  /// What was loaded, for a file.
  const isa::SourceText& code() const { return code_; }

 private:
  std::vector<unsigned> numbers(isa::FatbinEntry::Kind kind) const;
  const isa::FatbinEntry* choose(unsigned arch) const;
  void place(Heap& heap);
  void place_constants(const isa::Program& first, Heap& heap);

  std::vector<isa::FatbinEntry> entries_;
  isa::SourceText code_;
  std::unique_ptr<isa::Source> source_;
  std::map<std::string, std::unique_ptr<isa::Program>> programs_;
  std::map<std::string, uint64_t> variables_;  ///< addresses by name
  isa::VariablePlaces places_;
  const Allocation* constant_memory_ = nullptr;  ///< constant bank 3
};

}  // namespace shflsim::runtime
