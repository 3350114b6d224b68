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

/// A kernel of a program, registered by host code.
struct Kernel {
  Module* module = nullptr;
  std::string name;
  const isa::Program* program = nullptr;  ///< nullptr until needed
  uint32_t most_threads = 0;              ///< per block, if the code states it; otherwise 0
  int most_dynamic_shared = 0;            ///< bytes that the program has opted in to; 0: none
  int carveout = -1;                      ///< preferred percentage of shared memory; -1: none
  bool has_large_clusters = false;        ///< it has opted in to clusters of more than eight blocks
};

/// A __device__, __constant__ or __managed__ variable, registered by host code.
struct Variable {
  Module* module = nullptr;
  std::string name;
  size_t size = 0;
  void** managed = nullptr;  ///< the host's pointer to a managed variable
};

/// The device code of one fat binary of a program.
class Module {
 public:
  /// `fatbin`: pointer in the header that host code registers. Throws InputError if it is not a fat
  /// binary.
  explicit Module(const void* fatbin);

  /// Numbers of the architectures for which it has cubins, and PTX.
  std::vector<unsigned> cubins() const { return numbers(isa::FatbinEntry::Kind::kCubin); }
  std::vector<unsigned> ptx() const { return numbers(isa::FatbinEntry::Kind::kPtx); }

  /// Loads the code for a device of this architecture and places its variables. False if it has no
  /// such code. Throws InputError for damaged code.
  bool load(unsigned arch, Heap& heap);
  /// The program of a kernel. Throws InputError if the machine cannot execute it.
  const isa::Program& program(const std::string& kernel);
  bool has_kernel(const std::string& kernel) const;
  uint32_t most_threads(const std::string& kernel) const { return source_->most_threads(kernel); }

  /// The device address of a variable; 0 if there is none.
  uint64_t address_of(const std::string& variable) const;
  const isa::VariablePlaces& places() const { return places_; }
  /// Adds the variables and constant banks, as host code has written them, to a launch.
  void give_variables(const isa::Program& program, isa::Launch* launch) const;
  /// The loaded code, to be written to a file.
  const isa::SourceText& code() const { return code_; }

 private:
  std::vector<unsigned> numbers(isa::FatbinEntry::Kind kind) const;
  const isa::FatbinEntry* choose(unsigned arch) const;
  const isa::Program* with_variables();
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
