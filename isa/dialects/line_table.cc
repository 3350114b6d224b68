// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/line_table.h"

#include <elfutils/libdw.h>

#include <cstring>

#include "isa/base/bounded.h"

namespace shflsim::isa {
namespace {

constexpr const char* kDebugLine = ".debug_line";

/// An address in the relocated table: each code section has its own range of 4 GiB.
uint64_t place_of(uint32_t section, uint64_t offset) { return uint64_t{section} << 32 | offset; }

/// The places to put into the table, by offset in the table: in the file each address is 0, and a
/// linker fills it in.
std::map<uint64_t, uint64_t> starts_of(const CubinImage& image) {
  std::map<uint64_t, uint64_t> starts;
  for (const ElfRelocation& each : image.relocations(kDebugLine)) {
    if (each.symbol >= image.symbols().size()) continue;
    const ElfSymbol& code = image.symbols()[each.symbol];
    starts[each.offset] = place_of(code.section, code.value + each.addend);
  }
  return starts;
}

/// A copy of the cubin for libdw. Its line table is relocated here, since libdw does not know
/// NVIDIA's relocations.
class LineRows {
 public:
  LineRows(const SourceText& source, const CubinImage& image) : bytes_(std::string(source.text)) {
    elf_version(EV_CURRENT);
    elf_ = elf_memory(bytes_.data(), bytes_.size());
    relocate(starts_of(image));
    dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  }
  ~LineRows() {
    dwarf_end(dwarf_);
    elf_end(elf_);
  }
  LineRows(const LineRows&) = delete;
  LineRows& operator=(const LineRows&) = delete;

  /// Calls `visit` with each row of the table.
  template <class Visit>
  void for_each_row(Visit visit) const {
    Dwarf_Off next = 0;
    Dwarf_CU* unit = nullptr;
    Dwarf_Lines* lines = nullptr;
    size_t count = 0;
    while (dwarf_ != nullptr &&
           dwarf_next_lines(dwarf_, next, &next, &unit, nullptr, nullptr, &lines, &count) == 0) {
      for (size_t i = 0; i < count; ++i) visit(dwarf_onesrcline(lines, i));
    }
  }

 private:
  void relocate(const std::map<uint64_t, uint64_t>& starts) {
    size_t names = 0;
    if (elf_ == nullptr || elf_getshdrstrndx(elf_, &names) != 0) return;
    for (Elf_Scn* scn = elf_nextscn(elf_, nullptr); scn != nullptr; scn = elf_nextscn(elf_, scn)) {
      GElf_Shdr header;
      if (gelf_getshdr(scn, &header) == nullptr) continue;
      const char* const name = elf_strptr(elf_, names, header.sh_name);
      if (name == nullptr || std::strcmp(name, kDebugLine) != 0) continue;
      if (Elf_Data* table = elf_rawdata(scn, nullptr)) fill_in(starts, table);
    }
  }

  static void fill_in(const std::map<uint64_t, uint64_t>& starts, Elf_Data* table) {
    for (const auto& [offset, start] : starts) {
      if (table->d_buf != nullptr && fits(offset, sizeof start, table->d_size))
        std::memcpy(static_cast<char*>(table->d_buf) + offset, &start, sizeof start);
    }
  }

  std::string bytes_;
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
};

}  // namespace

LineTable::LineTable(const SourceText& source, const CubinImage& image) {
  if (image.find(kDebugLine) == nullptr) return;
  LineRows(source, image).for_each_row([this](Dwarf_Line* row) {
    Dwarf_Addr place = 0;
    int number = 0;
    bool is_end = false;
    const bool is_read = dwarf_lineaddr(row, &place) == 0 && dwarf_lineno(row, &number) == 0 &&
                         dwarf_lineendsequence(row, &is_end) == 0;
    if (is_read) add(place, is_end ? nullptr : dwarf_linesrc(row, nullptr, nullptr), number);
  });
}

/// If several rows are for one place, the last one counts: the innermost inlined function.
void LineTable::add(uint64_t place, const char* file, int number) {
  if (file == nullptr || number <= 0) {
    lines_.emplace(place, SourceLine());
    return;
  }
  const auto [its, is_new] = numbers_.emplace(file, static_cast<uint32_t>(files_.size()));
  if (is_new) files_.emplace_back(file);
  lines_[place] = {its->second, static_cast<uint32_t>(number)};
}

SourceLine LineTable::at(uint32_t section, uint64_t offset) const {
  const auto behind = lines_.upper_bound(place_of(section, offset));
  if (behind == lines_.begin()) return {};
  const auto& [place, line] = *std::prev(behind);
  return place >= place_of(section, 0) ? line : SourceLine();
}

}  // namespace shflsim::isa
