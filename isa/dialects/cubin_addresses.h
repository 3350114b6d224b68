// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "isa/code/program.h"
#include "isa/dialects/cubin_code.h"
#include "isa/dialects/cubin_image.h"

namespace shflsim::isa {

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

}  // namespace shflsim::isa
