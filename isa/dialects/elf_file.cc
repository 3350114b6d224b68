// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/elf_file.h"

#include "isa/base/bounded.h"

namespace shflsim::isa {

ElfFile::ElfFile(const SourceText& source) : file_(source.file), bytes_(source.text) {
  elf_version(EV_CURRENT);
  // libelf promises not to write to an image that it only reads.
  elf_ = elf_memory(const_cast<char*>(bytes_.data()), bytes_.size());
  const bool complete = elf_ != nullptr && gelf_getehdr(elf_, &header_) != nullptr &&
                        elf_getshdrstrndx(elf_, &names_) == 0;
  if (!complete) {
    elf_end(elf_);
    fail("is no complete ELF file; expected a cubin");
  }
}

ElfFile::~ElfFile() { elf_end(elf_); }

void ElfFile::fail(const std::string& what) const { throw InputError({file_}, what); }

std::string ElfFile::name_at(size_t strings, size_t offset) const {
  const char* const name = elf_strptr(elf_, strings, offset);
  if (name == nullptr) return "";
  // Names may overlap in the file, so the names of a small file can need much memory.
  std::string text = name;
  name_bytes_ = bounded(sum_of(name_bytes_, text.size()), kMostSourceBytes, "names", {file_});
  return text;
}

template <class Visit>
void ElfFile::for_each_section(Visit visit) const {
  for (Elf_Scn* scn = elf_nextscn(elf_, nullptr); scn != nullptr; scn = elf_nextscn(elf_, scn)) {
    GElf_Shdr header;
    if (gelf_getshdr(scn, &header) == nullptr) fail("has a broken section header");
    visit(scn, header);
  }
}

std::vector<ElfSection> ElfFile::sections() const {
  std::vector<ElfSection> all;
  uint64_t bytes = 0;
  const uint64_t most =
      2 * bytes_.size();  // the .nv.merc.debug sections share their bytes with one other
  for_each_section([&](Elf_Scn* scn, const GElf_Shdr& header) {
    if (header.sh_type != SHT_NOBITS) bytes = sum_of(bytes, header.sh_size);
    if (bytes > most) fail(too_much("sections", bytes, most, "bytes"));
    all.push_back({name_at(names_, header.sh_name), static_cast<uint32_t>(elf_ndxscn(scn)),
                   header.sh_info, header.sh_flags, header.sh_size, bytes_of(header)});
  });
  return all;
}

std::vector<ElfSymbol> ElfFile::symbols() const {
  std::vector<ElfSymbol> all;
  for_each_section([&](Elf_Scn* scn, const GElf_Shdr& header) {
    if (header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) return;
    Elf_Data* data = elf_getdata(scn, nullptr);
    GElf_Sym symbol;
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      all.push_back({name_at(header.sh_link, symbol.st_name), symbol.st_shndx, symbol.st_value,
                     static_cast<uint8_t>(GELF_ST_TYPE(symbol.st_info)), symbol.st_other,
                     symbol.st_size});
    }
  });
  return all;
}

std::vector<ElfRelocation> ElfFile::relocations() const {
  std::vector<ElfRelocation> all;
  for_each_section([&](Elf_Scn* scn, const GElf_Shdr& header) {
    const bool with_addend = header.sh_type == SHT_RELA;
    if ((header.sh_type != SHT_REL && !with_addend) || header.sh_entsize == 0) return;
    const std::string name = name_at(names_, header.sh_name);
    const size_t prefix = with_addend ? 5 : 4;  // ".rela", ".rel"
    if (name.size() <= prefix) fail("has relocations in a section '" + name + "'");
    const std::string target = name.substr(prefix);
    Elf_Data* data = elf_getdata(scn, nullptr);
    const size_t count = data == nullptr ? 0 : header.sh_size / header.sh_entsize;
    for (int i = 0; i < static_cast<int>(count); ++i) {
      GElf_Rela entry{};
      GElf_Rel plain{};
      const bool read = with_addend ? gelf_getrela(data, i, &entry) != nullptr
                                    : gelf_getrel(data, i, &plain) != nullptr;
      if (!read) fail("has a broken relocation in " + name);
      const uint64_t info = with_addend ? entry.r_info : plain.r_info;
      all.push_back({target, with_addend ? entry.r_offset : plain.r_offset,
                     static_cast<uint64_t>(entry.r_addend), static_cast<uint32_t>(GELF_R_SYM(info)),
                     static_cast<uint32_t>(GELF_R_TYPE(info))});
    }
  });
  return all;
}

FileBytes ElfFile::bytes_of(const GElf_Shdr& header) const {
  if (header.sh_type == SHT_NOBITS || header.sh_size == 0) return {};
  if (!fits(header.sh_offset, header.sh_size, bytes_.size()))
    fail("is cut off inside a section; expected a whole cubin");
  return {reinterpret_cast<const uint8_t*>(bytes_.data()) + header.sh_offset, header.sh_size};
}

}  // namespace shflsim::isa
