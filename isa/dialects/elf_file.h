// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <libelf.h>

#include <gelf.h>

#include <cstdint>
#include <string>
#include <vector>

#include "isa/dialects/source.h"

namespace shflsim::isa {

/// A view of bytes of a file, which it does not own.
struct FileBytes {
  const uint8_t* first = nullptr;
  size_t count = 0;

  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const uint8_t* data() const { return first; }
  const uint8_t* begin() const { return first; }
  const uint8_t* end() const { return first + count; }
  uint8_t operator[](size_t at) const { return first[at]; }
  std::vector<uint8_t> copy() const { return {begin(), end()}; }
};

struct ElfSection {
  std::string name;
  uint32_t index = 0;
  uint32_t info = 0;
  uint64_t flags = 0;
  uint64_t size = 0;  ///< in memory; `bytes` is empty if the file contains none
  FileBytes bytes;
};

struct ElfSymbol {
  std::string name;
  uint32_t section = 0;  ///< 0: not in this file
  uint64_t value = 0;    ///< offset in the section
  uint8_t type = 0;      ///< STT_FUNC
  uint8_t other = 0;
  uint64_t size = 0;  ///< bytes
};

struct ElfRelocation {
  std::string section;  ///< name of the section to be patched
  uint64_t offset = 0;
  uint64_t addend = 0;
  uint32_t symbol = 0;  ///< number
  uint32_t type = 0;
};

/// An ELF image in memory; owns its bytes. Each call throws InputError for a broken file.
class ElfFile {
 public:
  explicit ElfFile(const SourceText& source);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  [[noreturn]] void fail(const std::string& what) const;
  const GElf_Ehdr& header() const { return header_; }
  std::vector<ElfSection> sections() const;
  std::vector<ElfSymbol> symbols() const;  ///< by number
  std::vector<ElfRelocation> relocations() const;

 private:
  std::string name_at(size_t strings, size_t offset) const;
  FileBytes bytes_of(const GElf_Shdr& header) const;
  template <class Visit>
  void for_each_section(Visit visit) const;

  std::string file_;
  SharedText bytes_;
  Elf* elf_ = nullptr;
  GElf_Ehdr header_{};
  size_t names_ = 0;  ///< index of the section with the sections' names
  mutable uint64_t name_bytes_ = 0;
};

}  // namespace shflsim::isa
