// SPDX-License-Identifier: Apache-2.0
// Cubins of sm_50 to sm_62, as ptxas writes them: an ELF file with a .text section for each kernel
// and sections beside it for its constants, its shared memory and its attributes. Numbers of
// attributes and relocations are those that nvdisasm and readelf print for ptxas 12.8's files.
#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "isa/bounded.h"
#include "isa/codec.h"
#include "isa/reader/cubin.h"
#include "isa/reader/device_variables.h"
#include "isa/reader/elf_file.h"
#include "isa/reader/source.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kElfMachineCuda = 190;
constexpr uint8_t kOsAbiCuda13 = 0x41;  // from CUDA 13 on, e_flags has the architecture in 15:8
constexpr uint32_t kAddress64 = 2;      // R_CUDA_64

/// An entry of .nv.info or .nv.info.KERNEL.
struct Attribute {
  static constexpr uint8_t kSized = 0x04;      // EIFMT_SVAL: a payload follows
  static constexpr uint8_t kMinStack = 0x12;   // EIATTR_MIN_STACK_SIZE: symbol, bytes
  static constexpr uint8_t kParameter = 0x17;  // EIATTR_KPARAM_INFO
  static constexpr uint8_t kRegisters = 0x2f;  // EIATTR_REGCOUNT: symbol, registers a thread
  uint8_t number = 0;
  std::vector<uint8_t> payload;  ///< empty where the value is in the entry itself
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
    check_machine(elf, source.architecture);
    sections_ = elf.sections();
    symbols_ = elf.symbols();
    for (size_t i = sections_.size(); i-- > 0;) by_name_[sections_[i].name] = i;
    for (const ElfRelocation& each : elf.relocations()) relocations_[each.section].push_back(each);
    for (const char* name : {".nv.global.init", ".nv.global"}) add_variables(name);
    read_file_attributes();
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const ElfSection& section : sections_) {
      if (section.name.compare(0, 6, ".text.") == 0) names.push_back(section.name.substr(6));
    }
    return names;
  }

  Program program(const std::string& kernel) const override {
    const ElfSection* text = find(".text." + kernel);
    if (text == nullptr) fail("no kernel '" + kernel + "'");
    if (text->bytes.empty() || text->bytes.size() % 32 != 0) {
      fail("kernel '" + kernel + "' has " + std::to_string(text->bytes.size()) +
           " bytes of code; expected a multiple of 32");
    }
    check_linked(*text);
    Program program;
    program.name = kernel;
    for (size_t at = 0; at < text->bytes.size(); at += 8) {
      if (at % 32 != 0) append(*text, at, &program);
    }
    add_resources(*text, kernel, &program);
    program.variables = variables_.bytes;
    for (unsigned bank = 1; bank < 32; ++bank) {
      add_constants(kernel, static_cast<uint8_t>(bank), &program);
    }
    for (const std::string name : {".nv.global.init", ".nv.global"}) {
      add_addresses(name, Program::VariableAddress::kInImage, section_base(name), &program);
    }
    return program;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw InputError({file_}, what); }

  static void check_machine(const ElfFile& elf, const std::string& architecture) {
    const GElf_Ehdr& header = elf.header();
    if (header.e_machine != kElfMachineCuda) {
      elf.fail("is an ELF file for machine " + std::to_string(header.e_machine) +
               " without code for a GPU in it; expected a cubin (190) or a fat binary");
    }
    const bool is_new = header.e_ident[EI_OSABI] == kOsAbiCuda13;
    const unsigned sm = is_new ? (header.e_flags >> 8) & 0xFF : header.e_flags & 0xFF;
    const std::string own = "sm_" + std::to_string(sm);
    if (!architecture.empty() && architecture != own)
      elf.fail("is code for " + own + "; expected " + architecture + " (--arch)");
    if (sm < 50 || sm >= 70) {
      elf.fail("is code for " + own +
               "; expected sm_50 to sm_62, PTX (nvcc -ptx), or a listing (cuobjdump -sass) with "
               "--region clock");
    }
  }

  const ElfSection* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &sections_[found->second];
  }

  void add_variables(const char* name) {
    const ElfSection* section = find(name);
    if (section == nullptr) return;
    const uint64_t size = sum_of(variables_.bytes.size(), section->size);
    bounded(size, kMostVariableBytes, name, {file_}, "bytes");
    std::vector<uint8_t> bytes = section->bytes;
    bytes.resize(section->size);
    bases_[section->index] = variables_.append(bytes);
  }

  size_t section_base(const std::string& name) const {
    const ElfSection* section = find(name);
    return section == nullptr ? 0 : bases_.at(section->index);
  }

  /// Each attribute is a format, a number, and a 16-bit size or value.
  std::vector<Attribute> attributes(const std::string& name) const {
    std::vector<Attribute> all;
    const ElfSection* info = find(name);
    const std::vector<uint8_t> bytes = info == nullptr ? std::vector<uint8_t>{} : info->bytes;
    for (size_t at = 0; at + 4 <= bytes.size();) {
      const bool sized = bytes[at] == Attribute::kSized;
      const size_t size = sized ? bytes[at + 2] + size_t{256} * bytes[at + 3] : 0;
      if (at + 4 + size > bytes.size()) fail("attributes run over the end of " + name);
      const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at) + 4;
      all.push_back({bytes[at + 1], {first, first + static_cast<std::ptrdiff_t>(size)}});
      at += 4 + size;
    }
    return all;
  }

  /// Registers and stack, by symbol, of every function in the file.
  void read_file_attributes() {
    for (const Attribute& attribute : attributes(".nv.info")) {
      if (attribute.payload.size() != 8) continue;
      const uint64_t pair = word_at(attribute.payload, 0);
      const uint32_t symbol = static_cast<uint32_t>(pair);
      if (symbol >= symbols_.size()) continue;
      const std::string& name = symbols_[symbol].name;
      const unsigned value = static_cast<unsigned>(pair >> 32);
      if (attribute.number == Attribute::kRegisters) registers_[name] = value;
      if (attribute.number == Attribute::kMinStack) stacks_[name] = value;
    }
  }

  /// EIATTR_KPARAM_INFO: index (32 bits), ordinal and offset (16 each), then flags with the size in
  /// bits 31:18.
  std::vector<Program::Parameter> parameters(const std::string& kernel) const {
    std::map<uint16_t, Program::Parameter> by_ordinal;
    for (const Attribute& attribute : attributes(".nv.info." + kernel)) {
      if (attribute.number != Attribute::kParameter || attribute.payload.size() != 12) continue;
      const uint64_t place = word_at(attribute.payload, 0) >> 32;
      const uint64_t flags = word_at(attribute.payload, 4) >> 32;
      by_ordinal[static_cast<uint16_t>(place)] = {static_cast<uint32_t>(place >> 16),
                                                  static_cast<uint32_t>(flags >> 18)};
    }
    std::vector<Program::Parameter> all;
    for (const auto& [ordinal, parameter] : by_ordinal) all.push_back(parameter);
    return all;
  }

  void add_resources(const ElfSection& text, const std::string& kernel, Program* program) const {
    const auto registers = registers_.find(kernel);
    program->registers = registers != registers_.end() ? registers->second : text.info >> 24;
    bounded(program->registers, kMostRegisters, "a register count", {file_});
    if (program->registers == 0) program->registers = program->registers_used();
    const auto stack = stacks_.find(kernel);
    if (stack != stacks_.end()) program->local_bytes = stack->second;
    bounded(program->local_bytes, kMostLocalBytes, "a stack", {file_}, "bytes");
    const ElfSection* shared = find(".nv.shared." + kernel);
    if (shared != nullptr) {
      program->shared_bytes = static_cast<unsigned>(
          bounded(shared->size, kMostSharedBytes, shared->name, {file_}, "bytes"));
    }
    program->parameters = parameters(kernel);
  }

  /// Code that a linker has yet to patch refers to functions which are not in the file.
  void check_linked(const ElfSection& text) const {
    const auto found = relocations_.find(text.name);
    if (found == relocations_.end()) return;
    fail("kernel '" + text.name.substr(6) + "' refers to '" +
         symbol_name(found->second.front().symbol) +
         "' in other code; expected a linked cubin without calls of the CUDA runtime");
  }

  std::string symbol_name(uint32_t symbol) const {
    return symbol < symbols_.size() ? symbols_[symbol].name : std::to_string(symbol);
  }

  void append(const ElfSection& text, size_t at, Program* program) const {
    const uint64_t control_word = word_at(text.bytes, at - at % 32);
    const Control control = control_from_word(control_word, static_cast<unsigned>(at % 32 / 8 - 1));
    Instruction instruction;
    const std::string problem =
        decode(word_at(text.bytes, at), static_cast<uint32_t>(at), control, &instruction);
    if (!problem.empty()) {
      throw InputError({file_ + ":" + program->name + "+" + std::to_string(at)}, problem);
    }
    program->texts.push_back(text_of(instruction));
    program->code.push_back(instruction);
  }

  void add_constants(const std::string& kernel, uint8_t bank, Program* program) const {
    const std::string section = ".nv.constant" + std::to_string(bank);
    const ElfSection* own = find(section + "." + kernel);
    const ElfSection* constants = own != nullptr ? own : find(section);
    if (constants == nullptr) return;
    program->constants[bank] = constants->bytes;
    add_addresses(constants->name, bank, 0, program);
  }

  /// The addresses of variables that a section, which stands at `base`, is to hold.
  void add_addresses(const std::string& section, uint8_t bank, size_t base,
                     Program* program) const {
    const auto found = relocations_.find(section);
    if (found == relocations_.end()) return;
    const std::set<uint64_t> read = words_read(*program, bank);
    const uint64_t size = find(section) == nullptr ? 0 : find(section)->size;
    for (const ElfRelocation& each : found->second) {
      const auto variable =
          each.symbol < symbols_.size() ? bases_.find(symbols_[each.symbol].section) : bases_.end();
      if (variable != bases_.end() && each.type == kAddress64) {
        if (!fits(each.offset, sizeof(uint64_t), size)) {
          fail("an address at byte " + std::to_string(each.offset) + " of " + section +
               "; expected it among its " + std::to_string(size) + " bytes");
        }
        program->variable_addresses.push_back(
            {bank, base + each.offset,
             variable->second + symbols_[each.symbol].value + each.addend});
      } else if (read.count(each.offset / sizeof(uint64_t)) != 0) {
        fail("kernel '" + program->name + "' uses the address of '" + symbol_name(each.symbol) +
             "', which is no variable of this file; expected a linked cubin");
      }
    }
  }

  /// The 64-bit words of a constant bank that the code names, by number.
  static std::set<uint64_t> words_read(const Program& program, uint8_t bank) {
    std::set<uint64_t> words;
    for (const Instruction& instruction : program.code) {
      for (const Operand& each : instruction.operands) {
        if (each.is(Operand::Kind::kConstant) && each.bank == bank)
          words.insert(static_cast<uint64_t>(each.value) / sizeof(uint64_t));
      }
    }
    return words;
  }

  std::string file_;
  std::vector<ElfSection> sections_;
  std::vector<ElfSymbol> symbols_;
  std::map<std::string, size_t> by_name_;  ///< the first section of each name
  std::map<std::string, std::vector<ElfRelocation>> relocations_;  ///< by the section patched
  DeviceVariables variables_;
  std::map<uint32_t, size_t> bases_;  ///< of variables' sections in the image, by section number
  std::map<std::string, unsigned> registers_;
  std::map<std::string, unsigned> stacks_;
};

bool recognises(const SourceText& source) {
  constexpr size_t kMachine = 18;  // e_machine of an ELF header
  return source.text.compare(0, 4, "\177ELF") == 0 && source.text.size() > kMachine + 1 &&
         static_cast<uint8_t>(source.text[kMachine]) == kElfMachineCuda;
}
std::unique_ptr<Source> open(const SourceText& source) {
  std::unique_ptr<Source> cubin = read_cubin(source);
  if (cubin->kernels().empty())
    throw InputError({source.file}, "has no code; expected a .text section for each kernel");
  return cubin;
}

const bool registered = Dialects::add(
    {"cubin", "ELF file of ptxas or nvcc -cubin, sm_50 to sm_62", recognises, open, 10, true});

}  // namespace

std::unique_ptr<Source> read_cubin(const SourceText& source) {
  return std::make_unique<Cubin>(source);
}

}  // namespace shflsim::isa
