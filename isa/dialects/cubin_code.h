// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "isa/code/program.h"
#include "isa/dialects/cubin_image.h"

namespace shflsim::isa {

/// Where the shared variables of relocatable code are in a block's shared memory. The file says how
/// large each is and how it is aligned; its place is a linker's choice. Dynamic shared memory, a
/// symbol of no section, follows them.
class SharedLayout {
 public:
  explicit SharedLayout(const CubinImage& image) : image_(image) {}

  /// Whether a symbol is such a variable.
  bool holds(uint32_t symbol) const;
  /// Gives a variable its place. Throws InputError for more than a block can have.
  void add(uint32_t symbol);
  /// Offset of a variable that was added, where all have their places.
  uint64_t place(uint32_t symbol) const;
  /// Up to where dynamic shared memory begins.
  uint64_t bytes() const;

 private:
  const CubinImage& image_;
  std::map<uint32_t, uint64_t> places_;  ///< by symbol
  uint64_t end_ = 0;
};

/// The code of a kernel of sm_70 or later as it lies in memory: the kernel's section, behind it
/// those of the functions that it reaches, and behind these two instructions, BPT.TRAP and RET, for
/// each function of the CUDA runtime (printf, malloc, assert), which is not in the file: a call of
/// one that the program does not do itself ends the run. Addresses count from the kernel's first
/// byte. Relocation numbers are those of cubins of nvlink 13.0.
class CubinCode {
 public:
  struct Part {
    const ElfSection* section;
    uint64_t base;  ///< address of its first byte
  };
  /// Four bytes of an instruction that are to be half of a variable's address.
  struct VariableHalf {
    uint64_t address;  ///< address of the instruction
    uint32_t symbol;
    uint64_t addend;
    bool upper;
  };

  /// Throws InputError for code that refers to what no linker has added, and for relocations that
  /// are not known.
  CubinCode(const CubinImage& image, const ElfSection& kernel);

  const std::vector<Part>& parts() const { return parts_; }
  /// A part's bytes with the addresses of functions put into them.
  std::vector<uint8_t> bytes(const Part& part) const;
  /// Targets of calls that the words have no place for, by the call's address.
  const std::map<uint64_t, uint64_t>& calls() const { return calls_; }
  const std::vector<VariableHalf>& variable_halves() const { return variable_halves_; }
  /// Shared memory of code that no linker has laid out; 0 for other code.
  uint64_t shared_bytes() const { return shared_.bytes(); }

  /// Where a function's code is; nothing for a symbol that is none. A function of the runtime gets
  /// its place with this.
  std::optional<uint64_t> address(uint32_t symbol);
  /// The address that data have of a function at `address`. Data are the same for all kernels of
  /// the file, so that it does not depend on where this kernel has the function; the machine
  /// translates it.
  uint64_t data_address(uint32_t symbol, uint64_t address);
  /// Addresses in this kernel's code by those in data.
  const std::map<uint64_t, uint64_t>& data_addresses() const { return data_addresses_; }
  /// Functions of the runtime, whose instructions stand from `end` on.
  const std::vector<std::string>& missing() const { return missing_; }
  uint64_t end() const { return end_; }

 private:
  void add(const ElfSection& section);
  size_t follow_from(size_t part);
  void follow(const std::string& section);
  void follow_data();
  void relocate(const Part& part);
  void place_shared();
  void put_shared(const ElfRelocation& relocation, uint64_t at);
  void put_constant(const ElfRelocation& relocation, uint8_t bank, uint64_t at);
  void put(uint64_t address, unsigned position, unsigned width, uint64_t value);
  const ElfSection* code_of(uint32_t symbol) const;

  struct Patch {
    unsigned position;
    unsigned width;
    uint64_t value;
  };
  const CubinImage& image_;
  SharedLayout shared_;
  std::vector<Part> parts_;
  std::map<uint32_t, uint64_t> bases_;              ///< addresses of parts, by section number
  std::map<std::string, bool> followed_;            ///< sections of data
  std::map<uint64_t, std::vector<Patch>> patches_;  ///< by address
  std::map<uint64_t, uint64_t> calls_;
  std::vector<VariableHalf> variable_halves_;
  std::map<uint64_t, uint64_t> data_addresses_;
  std::vector<std::string> missing_;
  uint64_t end_ = 0;
};

/// Puts the addresses of variables, and from sm_70 on of functions, into a program's data.
class CubinAddresses {
 public:
  /// `variables`: places of sections in the image of the program's variables, by the section's
  /// number. `functions`: nullptr before sm_70.
  CubinAddresses(const CubinImage& image, const std::map<uint32_t, size_t>& variables,
                 CubinCode* functions, Program* program)
      : image_(image), variables_(variables), functions_(functions), program_(*program) {}

  /// Those that a section is to hold, which stands at `base` of a constant bank or of the image.
  /// Throws InputError for an address that the code reads and that is of no variable or function
  /// of the file, and for relocations of unknown types.
  void add(const std::string& section, uint8_t bank, size_t base);

 private:
  [[noreturn]] void fail_unknown(const std::string& section, const ElfRelocation& each) const;
  [[noreturn]] void fail_missing(uint32_t symbol) const;
  bool add(const ElfRelocation& each, uint8_t bank, size_t offset, CubinCode* functions);
  void add_constant(const ElfRelocation& each, uint8_t bank, size_t offset);
  void put(uint64_t address, uint8_t bank, size_t offset);
  bool may_read_all(uint8_t bank) const;
  std::set<uint64_t> words_read(uint8_t bank) const;

  const CubinImage& image_;
  const std::map<uint32_t, size_t>& variables_;
  CubinCode* functions_;
  Program& program_;
};

/// Finds kernels of sm_70 and later that cannot be used, by the opcodes and modifiers of their
/// instructions and the functions that they call, which is all that a list has time for.
class CubinGlance {
 public:
  /// What keeps an instruction from being executed, "" where nothing does; nullptr: not asked.
  using Refusal = std::string (*)(const Instruction& instruction);
  CubinGlance(const CubinImage& image, Refusal refusal) : image_(image), refusal_(refusal) {}

  /// Throws InputError if the kernel cannot be used.
  void check(const std::string& kernel, Arch arch);

 private:
  void check(const Word& word, uint32_t address, const std::string& kernel, Arch arch);

  const CubinImage& image_;
  const Refusal refusal_;
  std::unordered_set<uint64_t> seen_;  ///< kinds of instructions that can be used
};

}  // namespace shflsim::isa
