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

/// The layout of relocatable code's variables in a block's shared memory. The file gives size and
/// alignment of each variable; a linker chooses its place. Dynamic shared memory, a symbol without
/// a section, follows the variables.
class SharedLayout {
 public:
  explicit SharedLayout(const CubinImage& image) : image_(image) {}

  /// True if a symbol is such a variable.
  bool holds(uint32_t symbol) const;
  /// Places a variable. Throws InputError if shared memory exceeds what a block can have.
  void add(uint32_t symbol);
  /// Offset of a variable, after all variables have been added.
  uint64_t place(uint32_t symbol) const;
  /// Bytes of all variables: the offset at which dynamic shared memory begins.
  uint64_t bytes() const;

 private:
  const CubinImage& image_;
  std::map<uint32_t, uint64_t> places_;  ///< by symbol
  uint64_t end_ = 0;
};

/// The constants that ptxas keeps for each function, .nv.constantBANK.FUNCTION. A kernel's are at
/// the start of the bank; in code that is not linked, those of functions that it calls follow.
class FunctionConstants {
 public:
  struct Part {
    const ElfSection* section;
    uint8_t bank;
    uint64_t base;  ///< offset of its first byte in the bank
  };
  explicit FunctionConstants(const CubinImage& image) : image_(image) {}

  /// Places the constants of a function, or of a kernel. Throws InputError if a bank is too large.
  void add(const std::string& function);
  /// Offset of a section's first byte in its bank: 0 for constants of all kernels.
  uint64_t base(uint32_t section) const;
  const std::vector<Part>& parts() const { return parts_; }

 private:
  const CubinImage& image_;
  std::vector<Part> parts_;
  std::map<uint8_t, uint64_t> ends_;  ///< by bank
};

/// The code of a kernel of sm_70 or later as it lies in memory: the kernel's section, then the
/// sections of the functions that it reaches, then two instructions, BPT.TRAP and RET, for each
/// function of the CUDA runtime (printf, malloc, assert), which the file does not contain. A call
/// of such a function ends the run unless the machine implements the function. Addresses count from
/// the kernel's first byte. Relocation numbers are those of cubins of nvlink 13.0.
class CubinCode {
 public:
  struct Part {
    const ElfSection* section;
    uint64_t base;  ///< address of its first byte
  };
  /// A 32-bit field of an instruction that has to hold half of a variable's address.
  struct VariableHalf {
    uint64_t address;  ///< address of the instruction
    uint32_t symbol;
    uint64_t addend;
    bool upper;
  };

  /// Throws InputError for references to code that no linker has added, and for unknown
  /// relocations.
  CubinCode(const CubinImage& image, const ElfSection& kernel);

  const std::vector<Part>& parts() const { return parts_; }
  /// A part's bytes after relocation.
  std::vector<uint8_t> bytes(const Part& part) const;
  /// Targets of calls that are not put into the words, by the call's address.
  const std::map<uint64_t, uint64_t>& calls() const { return calls_; }
  const std::vector<VariableHalf>& variable_halves() const { return variable_halves_; }
  /// Shared memory of code that is not linked yet; 0 for other code.
  uint64_t shared_bytes() const { return shared_.bytes(); }
  const FunctionConstants& constants() const { return constants_; }

  /// The address of a function's code; none if the symbol is not a function. The first call for a
  /// function of the runtime gives it a place.
  std::optional<uint64_t> address(uint32_t symbol);
  /// The address that data contain for a function at `address`. Data are the same for all kernels
  /// of the file, so this address does not depend on where this kernel's code has the function; the
  /// machine translates it.
  uint64_t data_address(uint32_t symbol, uint64_t address);
  /// Addresses in this kernel's code, by the addresses in data.
  const std::map<uint64_t, uint64_t>& data_addresses() const { return data_addresses_; }
  /// Functions of the runtime, whose instructions begin at end().
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
  FunctionConstants constants_;
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
  /// `variables`: offsets of sections in the image of the program's variables, by section number.
  /// `functions`: nullptr before sm_70.
  CubinAddresses(const CubinImage& image, const std::map<uint32_t, size_t>& variables,
                 CubinCode* functions, Program* program)
      : image_(image), variables_(variables), functions_(functions), program_(*program) {}

  /// Adds the addresses in a section, which is at `base` in a constant bank or in the image. Throws
  /// InputError if the code reads an address that is not of a variable or function of the file, and
  /// for relocations of unknown types.
  void add(const std::string& section, uint8_t bank, size_t base);

 private:
  [[noreturn]] void fail_unknown(const std::string& section, const ElfRelocation& each) const;
  [[noreturn]] void fail_missing(uint32_t symbol) const;
  void check_room(const ElfSection* section, const ElfRelocation& each) const;
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

/// A quick check for lists that finds kernels of sm_70 and later that cannot be used, by the
/// opcodes and modifiers of their instructions and by the functions that they call.
class CubinGlance {
 public:
  /// Why an instruction cannot be executed; "" if it can. nullptr: not checked.
  using Refusal = std::string (*)(const Instruction& instruction);
  CubinGlance(const CubinImage& image, Refusal refusal) : image_(image), refusal_(refusal) {}

  /// Throws InputError if the kernel cannot be used.
  void check(const std::string& kernel, Arch arch);

 private:
  void check(const Word& word, uint32_t address, const std::string& kernel, Arch arch);
  void check_clusters(const std::string& kernel, Arch arch) const;

  const CubinImage& image_;
  const Refusal refusal_;
  std::unordered_set<uint64_t> seen_;  ///< keys of instructions that can be used
};

}  // namespace shflsim::isa
