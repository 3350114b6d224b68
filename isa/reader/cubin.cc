// SPDX-License-Identifier: Apache-2.0
// Cubins of sm_50 to sm_62, as ptxas writes them: an ELF file with a .text section for each kernel
// and sections beside it for its constants, its shared memory and its attributes.
#include <elf.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "isa/codec.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kElfMachineCuda = 190;
constexpr uint8_t kOsAbiCuda13 = 0x41;
constexpr uint8_t kAttributeSized = 0x04;       // EIFMT_SVAL: attribute with a payload
constexpr uint8_t kAttributeRegisters = 0x2f;   // EIATTR_REGCOUNT: symbol, registers a thread

struct Section {
  std::string name;
  uint32_t index = 0;
  uint32_t info = 0;
  uint64_t size = 0;               ///< in memory; `bytes` is empty where the file holds none
  std::vector<uint8_t> bytes;
};

/// Closes libelf's handle whichever way the reading ends.
class ElfFile {
 public:
  explicit ElfFile(const SourceText& source) : file_(source.file) {
    elf_version(EV_CURRENT);
    // libelf promises not to write to an image that it only reads.
    elf_ = elf_memory(const_cast<char*>(source.text.data()), source.text.size());
    if (elf_ == nullptr || gelf_getehdr(elf_, &header_) == nullptr) fail("is no complete ELF file; expected a cubin");
  }
  ~ElfFile() { elf_end(elf_); }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  [[noreturn]] void fail(const std::string& what) const { throw InputError({file_}, what); }
  const GElf_Ehdr& header() const { return header_; }

  std::vector<Section> sections() const {
    size_t names = 0;
    if (elf_getshdrstrndx(elf_, &names) != 0) fail("has no section names; expected a cubin");
    std::vector<Section> all;
    for (Elf_Scn* scn = elf_nextscn(elf_, nullptr); scn != nullptr; scn = elf_nextscn(elf_, scn)) {
      GElf_Shdr header;
      if (gelf_getshdr(scn, &header) == nullptr) fail("has a broken section header");
      const char* name = elf_strptr(elf_, names, header.sh_name);
      all.push_back({name == nullptr ? "" : name, static_cast<uint32_t>(elf_ndxscn(scn)), header.sh_info, header.sh_size, bytes_of(scn, header)});
    }
    return all;
  }

  /// Names of the symbols by number.
  std::vector<std::string> symbols() const {
    std::vector<std::string> names;
    for (Elf_Scn* scn = elf_nextscn(elf_, nullptr); scn != nullptr; scn = elf_nextscn(elf_, scn)) {
      GElf_Shdr header;
      if (gelf_getshdr(scn, &header) == nullptr || header.sh_type != SHT_SYMTAB || header.sh_entsize == 0) continue;
      Elf_Data* data = elf_getdata(scn, nullptr);
      GElf_Sym symbol;
      for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
        const char* name = elf_strptr(elf_, header.sh_link, symbol.st_name);
        names.emplace_back(name == nullptr ? "" : name);
      }
    }
    return names;
  }

 private:
  std::vector<uint8_t> bytes_of(Elf_Scn* scn, const GElf_Shdr& header) const {
    if (header.sh_type == SHT_NOBITS) return {};
    std::vector<uint8_t> bytes;
    for (Elf_Data* data = elf_rawdata(scn, nullptr); data != nullptr; data = elf_rawdata(scn, data)) {
      if (data->d_buf == nullptr) continue;
      const auto* first = static_cast<const uint8_t*>(data->d_buf);
      bytes.insert(bytes.end(), first, first + data->d_size);
    }
    if (bytes.size() != header.sh_size) fail("is cut off inside a section; expected a whole cubin");
    return bytes;
  }

  std::string file_;
  Elf* elf_ = nullptr;
  GElf_Ehdr header_{};
};

uint64_t word_at(const std::vector<uint8_t>& bytes, size_t offset) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

class Cubin final : public Source {
 public:
  explicit Cubin(const SourceText& source) : file_(source.file) {
    const ElfFile elf(source);
    check_machine(elf);
    sections_ = elf.sections();
    read_registers(elf.symbols());
    if (kernels().empty()) elf.fail("has no code; expected a .text section for each kernel");
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const Section& section : sections_) {
      if (section.name.compare(0, 6, ".text.") == 0) names.push_back(section.name.substr(6));
    }
    return names;
  }

  Program program(const std::string& kernel) const override {
    const Section& text = *find(".text." + kernel);
    if (text.bytes.empty() || text.bytes.size() % 32 != 0) {
      throw InputError({file_}, "kernel '" + kernel + "' has " + std::to_string(text.bytes.size()) + " bytes of code; expected a multiple of 32");
    }
    Program program;
    program.name = kernel;
    for (size_t at = 0; at < text.bytes.size(); at += 8) {
      if (at % 32 != 0) append(text, at, &program);
    }
    const auto registers = registers_.find(kernel);
    program.registers = registers != registers_.end() ? registers->second : text.info >> 24;
    if (program.registers == 0) program.registers = program.registers_used();
    const Section* shared = find(".nv.shared." + kernel);
    if (shared != nullptr) program.shared_bytes = static_cast<unsigned>(shared->size);
    for (unsigned bank = 1; bank < 32; ++bank) add_constants(kernel, static_cast<uint8_t>(bank), &program);
    return program;
  }

 private:
  void check_machine(const ElfFile& elf) const {
    const GElf_Ehdr& header = elf.header();
    if (header.e_machine != kElfMachineCuda) elf.fail("is an ELF file for machine " + std::to_string(header.e_machine) + "; expected a cubin (190)");
    const bool is_new = header.e_ident[EI_OSABI] == kOsAbiCuda13;
    const unsigned sm = is_new ? (header.e_flags >> 8) & 0xFF : header.e_flags & 0xFF;
    if (sm < 50 || sm >= 70) elf.fail("is code for sm_" + std::to_string(sm) + "; expected sm_50 to sm_62");
  }

  const Section* find(const std::string& name) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(), [&name](const Section& s) { return s.name == name; });
    return found == sections_.end() ? nullptr : &*found;
  }

  /// .nv.info: attributes of the whole file, each a format, a number and a 16-bit size or value.
  void read_registers(const std::vector<std::string>& symbols) {
    const Section* info = find(".nv.info");
    if (info == nullptr) return;
    const std::vector<uint8_t>& bytes = info->bytes;
    for (size_t at = 0; at + 4 <= bytes.size();) {
      const size_t size = bytes[at] == kAttributeSized ? bytes[at + 2] + size_t{256} * bytes[at + 3] : 0;
      if (at + 4 + size > bytes.size()) throw InputError({file_}, "attributes run over the end of .nv.info");
      if (bytes[at] == kAttributeSized && bytes[at + 1] == kAttributeRegisters && size == 8) {
        const uint64_t pair = word_at(bytes, at + 4);
        const uint32_t symbol = static_cast<uint32_t>(pair);
        if (symbol < symbols.size()) registers_[symbols[symbol]] = static_cast<unsigned>(pair >> 32);
      }
      at += 4 + size;
    }
  }

  void append(const Section& text, size_t at, Program* program) const {
    const uint64_t control_word = word_at(text.bytes, at - at % 32);
    const Control control = control_from_word(control_word, static_cast<unsigned>(at % 32 / 8 - 1));
    Instruction instruction;
    const std::string problem = decode(word_at(text.bytes, at), static_cast<uint32_t>(at), control, &instruction);
    if (!problem.empty()) throw InputError({file_ + ":" + program->name + "+" + std::to_string(at)}, problem);
    program->texts.push_back(text_of(instruction));
    program->code.push_back(instruction);
  }

  void add_constants(const std::string& kernel, uint8_t bank, Program* program) const {
    const std::string section = ".nv.constant" + std::to_string(bank);
    const Section* own = find(section + "." + kernel);
    const Section* constants = own != nullptr ? own : find(section);
    if (constants != nullptr) program->constants[bank] = constants->bytes;
  }

  std::string file_;
  std::vector<Section> sections_;
  std::map<std::string, unsigned> registers_;
};

bool recognises(const SourceText& source) { return source.text.compare(0, 4, "\177ELF") == 0; }
std::unique_ptr<Source> open(SourceText source) { return std::make_unique<Cubin>(source); }

}  // namespace

const Dialect kCubinDialect = {"cubin", "ELF file of ptxas or nvcc -cubin, sm_50 to sm_62", recognises, open};

}  // namespace shflsim::isa
