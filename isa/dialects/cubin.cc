// SPDX-License-Identifier: Apache-2.0
// Cubins as ptxas writes them. Numbers of
// relocations are those that nvdisasm and readelf print for ptxas 12.8's files.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "isa/assembly/data_sections.h"
#include "isa/base/bounded.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/dialects/cubin.h"
#include "isa/dialects/cubin_code.h"
#include "isa/dialects/cubin_image.h"
#include "isa/dialects/line_table.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace {

/// Relocations of instructions of sm_50 to sm_62: half of an address in MOV32I's bits 51:20.
constexpr uint32_t kBundleLow32 = 0x2b;   // R_CUDA_ABS32_LO_20
constexpr uint32_t kBundleHigh32 = 0x2c;  // R_CUDA_ABS32_HI_20

template <class Bytes>
uint64_t word_at(const Bytes& bytes, size_t offset) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

std::string architecture_of(const CubinImage& image) { return "sm_" + std::to_string(image.sm()); }

void check_architecture(const SourceText& source, const CubinImage& image) {
  if (source.architecture.empty() || source.architecture == architecture_of(image)) return;
  image.fail("is code for " + architecture_of(image) + "; expected " + source.architecture +
             " (--arch)");
}

/// True if a function of the driver, which a kernel may call, has its address in the file.
bool calls_driver(const CubinImage& image) {
  constexpr const char* kPrefix = "__cuda_syscall_";
  const std::vector<ElfRelocation>& all = image.relocations(".nv.constant4");
  return std::any_of(all.begin(), all.end(), [&](const ElfRelocation& each) {
    return image.symbol_name(each.symbol).compare(0, std::strlen(kPrefix), kPrefix) == 0;
  });
}

/// The file's summary of a kernel, or the faults if the kernel is damaged or cannot be used.
KernelSummary said_of(const CubinImage& image, const std::string& kernel, CubinGlance* glance) {
  KernelSummary summary;
  try {
    summary = image.summary(kernel);
    const std::optional<Arch> arch = arch_numbered(image.sm());
    if (!arch) return summary;
    glance->check(kernel, *arch);
    summary.use = "executed";
  } catch (const InputError& error) {
    summary.kernel = kernel;
    summary.architecture = architecture_of(image);
    summary.form = "ELF";
    summary.use = "listed";
    summary.faults = error.faults();
  }
  return summary;
}

class Cubin final : public Source {
 public:
  explicit Cubin(const SourceText& source)
      : file_(source.file), image_(source), line_table_(source, image_) {
    check_architecture(source, image_);
    for (const char* name : {".nv.global.init", ".nv.global"}) add_variables(name);
  }

  std::vector<std::string> kernels() const override { return image_.kernels(); }

  Arch arch() const override {
    if (const std::optional<Arch> arch = arch_numbered(image_.sm())) return *arch;
    image_.fail("is code for " + architecture() + "; expected sm_50 to sm_121");
  }

  std::vector<NamedVariable> variables() const override {
    std::vector<NamedVariable> all;
    const ElfSection* const constants = find(".nv.constant3");
    for (const ElfSymbol& symbol : image_.symbols()) {
      const auto base = bases_.find(symbol.section);
      if (base != bases_.end()) {
        all.push_back({symbol.name, NamedVariable::kInImage, base->second + symbol.value});
      } else if (constants != nullptr && symbol.section == constants->index) {
        all.push_back({symbol.name, 3, symbol.value});
      }
    }
    return all;
  }

  uint32_t most_threads(const std::string& kernel) const override {
    return image_.most_threads(kernel);
  }

  KernelSummary summary(const std::string& kernel) const override {
    const KernelSummary decoded = Source::summary(kernel);
    CubinGlance glance(image_, nullptr);
    KernelSummary said = said_of(image_, kernel, &glance);
    said.use = decoded.use;
    said.faults = decoded.faults;
    return said;
  }

  Program program(const std::string& kernel) const override {
    const bool is_maxwell = family() == Family::kMaxwell;
    const ElfSection* text = find(".text." + kernel);
    if (text == nullptr) fail("no kernel '" + kernel + "'");
    const size_t unit = is_maxwell ? 32 : 16;
    if (text->bytes.empty() || text->bytes.size() % unit != 0) {
      fail("kernel '" + kernel + "' has " + std::to_string(text->bytes.size()) +
           " bytes of code; expected a multiple of " + std::to_string(unit));
    }
    Program program;
    program.name = kernel;
    program.arch = arch();
    note_nearest_arch(file_, image_.sm(), &program);
    program.variables = variables_.bytes;
    std::optional<CubinCode> code;
    if (!is_maxwell) code.emplace(image_, *text);
    if (code) append_parts(*code, &program);
    if (!code) append_bundles(*text, &program);
    add_source_lines(*text, code ? &*code : nullptr, &program);
    add_resources(kernel, &program);
    if (code && code->shared_bytes() != 0)
      program.shared_bytes = static_cast<unsigned>(code->shared_bytes());
    CubinCode* const functions = code ? &*code : nullptr;
    for (unsigned bank = 1; bank < Program::kConstantBanks; ++bank) {
      add_constants(kernel, static_cast<uint8_t>(bank), functions, &program);
    }
    if (code) add_function_constants(&*code, &program);
    for (const std::string name : {".nv.global.init", ".nv.global"}) {
      CubinAddresses(image_, bases_, functions, &program)
          .add(name, Program::VariableAddress::kInImage, section_base(name));
    }
    add_variable_halves(code ? code->variable_halves() : halves_in(*text), &program);
    if (code) append_missing(*code, &program);
    return program;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { image_.fail(what); }
  const ElfSection* find(const std::string& name) const { return image_.find(name); }
  std::string architecture() const { return architecture_of(image_); }

  void add_variables(const char* name) {
    const ElfSection* section = find(name);
    if (section == nullptr) return;
    const uint64_t size = sum_of(variables_.bytes.size(), section->size);
    bounded(size, kMostVariableBytes, name, {file_}, "bytes");
    std::vector<uint8_t> bytes = section->bytes.copy();
    bytes.resize(section->size);
    bases_[section->index] = variables_.append(bytes);
  }

  size_t section_base(const std::string& name) const {
    const ElfSection* section = find(name);
    return section == nullptr ? 0 : bases_.at(section->index);
  }

  void add_resources(const std::string& kernel, Program* program) const {
    program->registers = static_cast<unsigned>(image_.registers(kernel));
    if (program->registers == 0) program->registers = program->registers_used();
    program->local_bytes = static_cast<unsigned>(image_.local_bytes(kernel));
    program->shared_bytes = static_cast<unsigned>(image_.shared_bytes(kernel));
    program->barriers = static_cast<unsigned>(image_.barriers(kernel));
    program->cluster = image_.cluster(kernel);
    program->extras.most_threads = image_.most_threads(kernel);
    program->parameters = image_.parameters(kernel);
  }

  /// The halves of variables' addresses in a kernel's bundles. Throws InputError for code that a
  /// linker has to patch: it refers to functions in other files.
  std::vector<CubinCode::VariableHalf> halves_in(const ElfSection& text) const {
    std::vector<CubinCode::VariableHalf> halves;
    for (const ElfRelocation& each : image_.relocations(text.name)) {
      const bool is_half = each.type == kBundleLow32 || each.type == kBundleHigh32;
      if (!is_half || !image_.is_variable(each.symbol))
        fail("kernel '" + text.name.substr(6) + "' refers to '" + image_.symbol_name(each.symbol) +
             "' in other code; expected a linked cubin without calls of the CUDA runtime");
      halves.push_back({each.offset, each.symbol, each.addend, each.type == kBundleHigh32});
    }
    return halves;
  }

  void append(const ElfSection& text, size_t at, Program* program) const {
    const uint64_t control_word = word_at(text.bytes, at - at % 32);
    const Control control = control_from_word(control_word, static_cast<unsigned>(at % 32 / 8 - 1));
    Instruction instruction;
    add(decode(word_at(text.bytes, at), static_cast<uint32_t>(at), control, &instruction), at,
        instruction, program);
  }

  void append_bundles(const ElfSection& text, Program* program) const {
    for (size_t at = 0; at < text.bytes.size(); at += 8) {
      if (at % 32 != 0) append(text, at, program);
    }
  }

  /// Code of sm_70 or later.
  void append_parts(const CubinCode& code, Program* program) const {
    for (const CubinCode::Part& part : code.parts()) append_part(code, part, program);
  }
  void append_part(const CubinCode& code, const CubinCode::Part& part, Program* program) const {
    const std::vector<uint8_t> bytes = code.bytes(part);
    if (bytes.size() % 16 != 0) {
      fail(part.section->name + " has " + std::to_string(bytes.size()) +
           " bytes; expected a multiple of 16");
    }
    for (size_t at = 0; at < bytes.size(); at += 16) {
      const uint64_t address = part.base + at;
      const Word word(word_at(bytes, at), word_at(bytes, at + 8));
      Instruction instruction;
      const std::string problem =
          decode(program->arch, word, static_cast<uint32_t>(address), &instruction);
      const auto call = code.calls().find(address);
      if (problem.empty() && call != code.calls().end())
        instruction[Role::kB].value = static_cast<int64_t>(call->second);
      add(problem, address, instruction, program);
    }
  }

  /// `functions`: the kernel and the functions that it calls; nullptr before sm_70.
  void add_source_lines(const ElfSection& text, const CubinCode* functions,
                        Program* program) const {
    if (line_table_.files().empty()) return;
    program->source_files = line_table_.files();
    std::vector<CubinCode::Part> parts = {{&text, 0}};
    if (functions != nullptr) parts = functions->parts();
    for (const Instruction& instruction : program->code) {
      const auto behind = std::upper_bound(
          parts.begin(), parts.end(), instruction.address,
          [](uint64_t address, const CubinCode::Part& part) { return address < part.base; });
      const CubinCode::Part& part = *std::prev(behind);
      program->source_lines.push_back(
          line_table_.at(part.section->index, instruction.address - part.base));
    }
  }

  /// Appends a trap and a return for each function of the runtime. The trap ends the run, or is
  /// replaced by a call of the driver.
  static void append_missing(const CubinCode& code, Program* program) {
    for (const auto& [in_data, address] : code.data_addresses())
      program->functions[in_data] = static_cast<uint32_t>(address / 16);
    for (const std::string& name : code.missing()) {
      const auto index = static_cast<uint32_t>(program->code.size());
      if (name == "vprintf") program->extras.driver_calls[index] = Program::DriverCall::kPrint;
      if (name == "__assertfail")
        program->extras.driver_calls[index] = Program::DriverCall::kAssert;
      if (name == "malloc") program->extras.driver_calls[index] = Program::DriverCall::kAllocate;
      if (name == "free") program->extras.driver_calls[index] = Program::DriverCall::kFree;
      append_text("BPT.TRAP 0x1", program);
      program->texts.back() = name + " of the CUDA runtime, which is not in the file";
      append_text("RET.ABS.NODEC R20 0x0", program);
    }
  }

  static void append_text(const std::string& text, Program* program) {
    const uint32_t address = address_of(program->code.size(), Family::kSm70);
    Instruction instruction;
    decode(program->arch, encode(program->arch, text, address).word, address, &instruction);
    program->texts.push_back(text);
    program->code.push_back(instruction);
  }

  /// Replaces immediates that are half of a variable's address, which only a launch knows, by
  /// constants in words that are added for them.
  void add_variable_halves(const std::vector<CubinCode::VariableHalf>& halves,
                           Program* program) const {
    for (const CubinCode::VariableHalf& half : halves) {
      const ElfSymbol& symbol = image_.symbols()[half.symbol];
      const int index = program->index_at(static_cast<int64_t>(half.address));
      if (index < 0)
        fail("a relocation at byte " + std::to_string(half.address) + " of .text." + program->name +
             "; expected it at an instruction");
      put_variable_half(bases_.at(symbol.section) + symbol.value + half.addend, half.upper,
                        &program->code[static_cast<size_t>(index)], program);
    }
  }

  void add(const std::string& problem, size_t at, const Instruction& instruction,
           Program* program) const {
    if (!problem.empty()) {
      throw InputError({file_ + ":" + program->name + "+" + std::to_string(at)}, problem);
    }
    program->texts.push_back(text_of(instruction));
    program->code.push_back(instruction);
  }

  void add_constants(const std::string& kernel, uint8_t bank, CubinCode* functions,
                     Program* program) const {
    const std::string section = ".nv.constant" + std::to_string(bank);
    const ElfSection* own = find(section + "." + kernel);
    const ElfSection* constants = own != nullptr ? own : find(section);
    if (constants == nullptr) return;
    program->constants[bank] = constants->bytes.copy();
    CubinAddresses(image_, bases_, functions, program).add(constants->name, bank, 0);
  }

  /// Adds the constants of the functions that a kernel calls in code that is not linked.
  void add_function_constants(CubinCode* functions, Program* program) const {
    for (const FunctionConstants::Part& part : functions->constants().parts()) {
      if (part.section->name == ".nv.constant" + std::to_string(part.bank) + "." + program->name)
        continue;
      std::vector<uint8_t>& bank = program->constants[part.bank];
      const std::vector<uint8_t> bytes = part.section->bytes.copy();
      bank.resize(part.base);
      bank.insert(bank.end(), bytes.begin(), bytes.end());
      CubinAddresses(image_, bases_, functions, program)
          .add(part.section->name, part.bank, part.base);
    }
  }

  std::string file_;
  CubinImage image_;
  LineTable line_table_;
  DeviceVariables variables_;
  std::map<uint32_t, size_t> bases_;  ///< offsets of sections in the variables' image
};

bool is_cubin(const SourceText& source) {
  constexpr size_t kMachine = 18;  // e_machine of an ELF header
  return source.text.compare(0, 4, "\177ELF") == 0 && source.text.size() > kMachine + 1 &&
         static_cast<uint8_t>(source.text[kMachine]) == 190;
}
std::unique_ptr<Source> open_cubin(const SourceText& source) {
  std::unique_ptr<Source> cubin = read_cubin(source);
  if (cubin->kernels().empty())
    throw InputError({source.file}, "has no code; expected a .text section for each kernel");
  return cubin;
}
std::vector<KernelSummary> list_cubin(const SourceText& source) {
  const CubinImage image(source);
  check_architecture(source, image);
  CubinGlance glance(image, source.line_refusal);
  std::vector<KernelSummary> all;
  for (const std::string& kernel : image.kernels()) all.push_back(said_of(image, kernel, &glance));
  if (!calls_driver(image)) return all;
  const std::unique_ptr<Source> whole = read_cubin(source);
  for (KernelSummary& each : all) {
    if (each.use != "executed") continue;
    try {
      whole->program(each.kernel);
    } catch (const InputError& error) {
      each.use = "listed";
      each.faults = error.faults();
    }
  }
  return all;
}

const bool cubin_registered =
    Dialects::add({"cubin", "ELF file of ptxas or nvcc -cubin: sm_50 to sm_121", is_cubin,
                   open_cubin, 10, true, false, list_cubin});

}  // namespace

std::unique_ptr<Source> read_cubin(const SourceText& source) {
  return std::make_unique<Cubin>(source);
}

}  // namespace shflsim::isa
