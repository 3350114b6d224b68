// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/cubin_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "isa/base/bounded.h"
#include "isa/base/word.h"
#include "isa/code/launch_layout.h"
#include "isa/codec/codec.h"
#include "isa/codec/form.h"
#include "isa/codec/unmodelled.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kWordBytes = 16;
constexpr unsigned kRuntimeBytes = 2 * kWordBytes;  // for each function of the runtime

/// Types of relocations of instructions.
enum Relocation : uint32_t {
  kLow32 = 0x38,      ///< bits 63:32: the lower half of an address
  kHigh32 = 0x39,     ///< bits 63:32: the upper half
  kCall = 0x3a,       ///< bits 80:34: a call's target in units of 4 bytes
  kSplitCall = 0x4b,  ///< bits 80:34 and, for eight bits, 23:16: a call's target from sm_90 on
  kOffset = 0x3b,     ///< bits 63:32: a constant's offset in its bank
  kShared = 0x37,     ///< bits 63:32: a variable's offset in shared memory
  kShared24 = 0x4a,   ///< bits 63:40: a variable's offset in shared memory
  // From sm_90 on, of code that is not linked: pointers to functions lead into a table that nvlink
  // makes. Here they are the functions' addresses, and the table's place at a call counts nothing.
  kUnifiedLow32 = 0x70,
  kUnifiedHigh32 = 0x71,
  kUnifiedTable = 0x72,
  // With these a linker may turn YIELD into a NOP; nvlink 13.0 leaves YIELD unchanged.
  kYieldOpcode = 0x44,
  kYieldPredicate = 0x45,
  // Descriptors of kernels that the code launches (dynamic parallelism).
  kDescriptorLow = 0x3d,
  kDescriptorHigh = 0x3e,
};

/// Prefix of the names of functions that launch kernels.
constexpr std::string_view kLaunching = "__cudaCDP";

bool is_upper(uint32_t type) { return type == kHigh32 || type == kUnifiedHigh32; }

bool is_half(uint32_t type) { return type == kLow32 || type == kUnifiedLow32 || is_upper(type); }

bool is_of_yield(uint32_t type) { return type == kYieldOpcode || type == kYieldPredicate; }

/// Fields of an operand c[bank][offset]: the bank's number is in the five bits above the offset.
struct ConstantField {
  uint32_t type;
  unsigned position;
  unsigned offset_width;
  unsigned unit;  ///< bytes that the offset counts
};
constexpr std::array<ConstantField, 3> kConstantFields = {{
    {0x40, 40, 14, 4},  // R_CUDA_CONST_FIELD19_40
    {0x42, 38, 16, 1},  // R_CUDA_CONST_FIELD21_38
    {0x73, 37, 17, 1},  // R_CUDA_CONST_FIELD22_37, from sm_100 on
}};

bool is_of_runtime(const std::string& name) {
  constexpr std::array<const char*, 5> kNames = {"vprintf", "malloc", "free", "__assertfail",
                                                 "__cnpSyncThreads"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

Word wide_word_at(const std::vector<uint8_t>& bytes, size_t offset) {
  Word word;
  std::memcpy(&word.low, bytes.data() + offset, sizeof word.low);
  std::memcpy(&word.high, bytes.data() + offset + sizeof word.low, sizeof word.high);
  return word;
}

constexpr uint8_t kVariable = 13;       // STT_CUDA_OBJECT: readelf's "processor specific"
constexpr uint8_t kSpace = 0xe0;        // of a variable, in st_other
constexpr uint8_t kSharedSpace = 0x40;  // STO_CUDA_SHARED
constexpr uint64_t kAlignment = 16;     // of dynamic shared memory, as nvlink 13.0 places it

constexpr uint64_t kConstantAlignment = 16;  // assumed, bytes: of a function's constants in a bank

uint64_t aligned(uint64_t offset, uint64_t unit) { return (offset + unit - 1) / unit * unit; }

}  // namespace

bool SharedLayout::holds(uint32_t symbol) const {
  if (symbol >= image_.symbols().size()) return false;
  const ElfSymbol& named = image_.symbols()[symbol];
  return named.type == kVariable && (named.other & kSpace) == kSharedSpace;
}

void SharedLayout::add(uint32_t symbol) {
  const ElfSymbol& named = image_.symbols()[symbol];
  const bool is_dynamic = named.section == 0;
  if (is_dynamic || places_.count(symbol) != 0) return;
  const auto fail = [&](uint64_t bytes) {
    image_.fail(too_much("shared memory up to '" + named.name + "'", bytes, kMostSharedBytes));
  };
  const uint64_t alignment = std::clamp<uint64_t>(named.value, 1, kMostSharedBytes);
  const uint64_t place = aligned(end_, alignment);
  const uint64_t end = sum_of(place, named.size);
  if (end > kMostSharedBytes) fail(end);
  places_[symbol] = place;
  end_ = end;
}

uint64_t SharedLayout::place(uint32_t symbol) const {
  const auto found = places_.find(symbol);
  return found == places_.end() ? bytes() : found->second;
}

uint64_t SharedLayout::bytes() const { return aligned(end_, kAlignment); }

void FunctionConstants::add(const std::string& function) {
  constexpr uint64_t kMostBytes = 0x10000;  // of a bank: CUDA guide, 64 KiB of constants
  for (unsigned number = 1; number < Program::kConstantBanks; ++number) {
    const std::string name = ".nv.constant" + std::to_string(number) + "." + function;
    const ElfSection* const section = image_.find(name);
    if (section == nullptr) continue;
    const auto bank = static_cast<uint8_t>(number);
    const uint64_t base = aligned(ends_[bank], kConstantAlignment);
    const uint64_t end = sum_of(base, section->bytes.size());
    if (end > kMostBytes) image_.fail(too_much(name, end, kMostBytes));
    parts_.push_back({section, bank, base});
    ends_[bank] = end;
  }
}

uint64_t FunctionConstants::base(uint32_t section) const {
  const auto found = std::find_if(parts_.begin(), parts_.end(), [section](const Part& each) {
    return each.section->index == section;
  });
  return found == parts_.end() ? 0 : found->base;
}

CubinCode::CubinCode(const CubinImage& image, const ElfSection& kernel)
    : image_(image), shared_(image), constants_(image) {
  add(kernel);
  const size_t reached = follow_from(0);
  follow_data();
  follow_from(reached);
  place_shared();
  for (const Part& part : parts_) constants_.add(part.section->name.substr(6));
  for (const Part& part : std::vector<Part>(parts_)) relocate(part);
}

/// Follows the parts from this one on, including parts that are added; returns their number.
size_t CubinCode::follow_from(size_t part) {
  while (part < parts_.size()) follow(parts_[part++].section->name);
  return part;
}

void CubinCode::add(const ElfSection& section) {
  if (bases_.count(section.index) != 0) return;
  bases_[section.index] = end_;
  parts_.push_back({&section, end_});
  end_ += (section.bytes.size() + kWordBytes - 1) / kWordBytes * kWordBytes;
}

/// The code section of a symbol; nullptr if the symbol is of data or of another file.
const ElfSection* CubinCode::code_of(uint32_t symbol) const {
  if (symbol >= image_.symbols().size()) return nullptr;
  const ElfSection* section = image_.numbered(image_.symbols()[symbol].section);
  const bool is_code = section != nullptr && section->name.compare(0, 6, ".text.") == 0;
  return is_code ? section : nullptr;
}

/// Adds the functions that a section refers to, also by tables in data.
void CubinCode::follow(const std::string& section) {
  for (const ElfRelocation& each : image_.relocations(section)) {
    if (const ElfSection* code = code_of(each.symbol)) {
      add(*code);
      continue;
    }
    if (each.symbol >= image_.symbols().size()) continue;
    const ElfSection* data = image_.numbered(image_.symbols()[each.symbol].section);
    if (data != nullptr && followed_.emplace(data->name, true).second) follow(data->name);
  }
}

/// Adds functions to which variables point: the host may pass such a pointer to any kernel.
void CubinCode::follow_data() {
  for (const char* const section : {".nv.global.init", ".nv.global", ".nv.constant3"})
    follow(section);
}

uint64_t CubinCode::data_address(uint32_t symbol, uint64_t address) {
  const ElfSection* const code = code_of(symbol);
  if (code == nullptr) return address;  // of the runtime
  // Above all code, outside of memory and of the windows of generic addresses.
  constexpr uint64_t kFirst = uint64_t{0x7d00} << 32;
  constexpr uint64_t kStep = 16;
  const uint64_t in_data = kFirst + symbol * kStep;
  data_addresses_[in_data] = address;
  return in_data;
}

std::optional<uint64_t> CubinCode::address(uint32_t symbol) {
  if (symbol >= image_.symbols().size()) return std::nullopt;
  const ElfSymbol& named = image_.symbols()[symbol];
  if (const ElfSection* code = code_of(symbol)) {
    const auto base = bases_.find(code->index);
    if (base == bases_.end()) return std::nullopt;
    return base->second + named.value;
  }
  if (named.section != 0 || !is_of_runtime(named.name)) return std::nullopt;
  const auto place = std::find(missing_.begin(), missing_.end(), named.name);
  const auto index = static_cast<uint64_t>(place - missing_.begin());
  if (place == missing_.end()) missing_.push_back(named.name);
  return end_ + index * kRuntimeBytes;
}

void CubinCode::put(uint64_t address, unsigned position, unsigned width, uint64_t value) {
  patches_[address].push_back({position, width, value});
}

void CubinCode::place_shared() {
  for (const Part& part : parts_) {
    for (const ElfRelocation& each : image_.relocations(part.section->name)) {
      if (shared_.holds(each.symbol)) shared_.add(each.symbol);
    }
  }
}

void CubinCode::put_shared(const ElfRelocation& relocation, uint64_t at) {
  const uint64_t offset = shared_.place(relocation.symbol) + relocation.addend;
  if (relocation.type == kShared) return put(at, 32, 32, offset);
  if (relocation.type == kShared24) return put(at, 40, 24, offset);
  image_.fail(relocation.section + " has a relocation of type " + std::to_string(relocation.type) +
              " for the shared variable '" + image_.symbol_name(relocation.symbol) +
              "'; expected 55 or 74");
}

/// Puts the place of a variable in a constant bank into an operand or an immediate.
void CubinCode::put_constant(const ElfRelocation& relocation, uint8_t bank, uint64_t at) {
  const ElfSymbol& symbol = image_.symbols()[relocation.symbol];
  const uint64_t offset = constants_.base(symbol.section) + symbol.value + relocation.addend;
  if (relocation.type == kOffset) return put(at, 32, 32, offset);
  for (const ConstantField& field : kConstantFields) {
    if (field.type != relocation.type) continue;
    put(at, field.position, field.offset_width, offset / field.unit);
    return put(at, field.position + field.offset_width, 5, bank);
  }
  image_.fail(relocation.section + " has a relocation of type " + std::to_string(relocation.type) +
              " for the constant '" + image_.symbol_name(relocation.symbol) +
              "'; expected 59, 64, 66 or 115");
}

void CubinCode::relocate(const Part& part) {
  for (const ElfRelocation& each : image_.relocations(part.section->name)) {
    const uint64_t at = part.base + each.offset;
    const std::string name = image_.symbol_name(each.symbol);
    if (!fits(each.offset, kWordBytes, part.section->bytes.size()) || each.offset % kWordBytes != 0)
      image_.fail("a relocation at byte " + std::to_string(each.offset) + " of " +
                  part.section->name + "; expected it at an instruction");
    if (is_of_yield(each.type) || each.type == kUnifiedTable) continue;
    const bool is_descriptor = each.type == kDescriptorLow || each.type == kDescriptorHigh;
    if (is_descriptor || name.compare(0, kLaunching.size(), kLaunching) == 0)
      image_.fail("kernel '" + parts_.front().section->name.substr(6) +
                  "' launches kernels (dynamic parallelism), which is not executed");
    if (const std::optional<uint8_t> bank = image_.constant_bank(each.symbol)) {
      put_constant(each, *bank, at);
      continue;
    }
    if (shared_.holds(each.symbol)) {
      put_shared(each, at);
      continue;
    }
    const std::optional<uint64_t> function = address(each.symbol);
    const bool is_variable = image_.is_variable(each.symbol);
    if (!function && !is_variable)
      image_.fail("kernel '" + parts_.front().section->name.substr(6) + "' refers to '" + name +
                  "' in other code; expected a linked cubin (nvlink, or nvcc without -rdc=true)");
    if (!is_half(each.type) && (!function || (each.type != kCall && each.type != kSplitCall)))
      image_.fail(part.section->name + " has a relocation of type " + std::to_string(each.type) +
                  " for '" + name + "'; expected 56 to 58 or 75");
    if (!function) {
      variable_halves_.push_back({at, each.symbol, each.addend, is_upper(each.type)});
      continue;
    }
    const uint64_t target = *function + each.addend;
    if (is_half(each.type))
      put(at, 32, 32, is_upper(each.type) ? target >> 32 : target & 0xFFFFFFFFu);
    if (each.type == kCall) put(at, 34, 47, target / 4);
    if (each.type == kSplitCall) calls_[at] = target;
  }
}

std::vector<uint8_t> CubinCode::bytes(const Part& part) const {
  std::vector<uint8_t> bytes = part.section->bytes.copy();
  const auto first = patches_.lower_bound(part.base);
  const auto last = patches_.lower_bound(part.base + bytes.size());
  for (auto each = first; each != last; ++each) {
    const size_t offset = each->first - part.base;
    Word word = wide_word_at(bytes, offset);
    for (const Patch& patch : each->second)
      word = with_field(word, patch.position, patch.width, patch.value);
    std::memcpy(bytes.data() + offset, &word.low, sizeof word.low);
    std::memcpy(bytes.data() + offset + sizeof word.low, &word.high, sizeof word.high);
  }
  return bytes;
}

namespace {

/// Opcode and modifiers of a word, without the operands (bits 71:12) and the control field.
uint64_t glance_key(const Word& word) {
  constexpr uint64_t kOpcode = 0xFFF, kModifiers = 0x1FFFFFFFF;
  return (word.high >> 8 & kModifiers) << 12 | (word.low & kOpcode);
}

}  // namespace

void CubinGlance::check_clusters(const std::string& kernel, Arch arch) const {
  const std::array<uint32_t, 3> blocks = image_.cluster(kernel);
  const bool is_cluster = blocks[0] > 1 || blocks[1] > 1 || blocks[2] > 1;
  if (is_cluster && !launch_layout(arch).runs_clusters)
    image_.fail(fmt::format("kernel '{}' in clusters of {}x{}x{} blocks; expected code for sm_90",
                            kernel, blocks[0], blocks[1], blocks[2]));
}

void CubinGlance::check(const std::string& kernel, Arch arch) {
  check_clusters(kernel, arch);
  const ElfSection* const text = image_.find(".text." + kernel);
  if (text == nullptr || family_of(arch) == Family::kMaxwell) return;
  const std::vector<uint8_t> bytes = text->bytes.copy();
  for (size_t at = 0; at + 16 <= bytes.size(); at += 16)
    check(wide_word_at(bytes, at), static_cast<uint32_t>(at), kernel, arch);
  const bool calls = image_.find(".rela.text." + kernel) != nullptr ||
                     image_.find(".rel.text." + kernel) != nullptr;
  if (calls) CubinCode(image_, *text);
}

void CubinGlance::check(const Word& word, uint32_t address, const std::string& kernel, Arch arch) {
  if (seen_.count(glance_key(word)) != 0) return;
  Instruction instruction;
  const std::string problem = decode(arch, word, address, &instruction);
  const FormTable& table = form_table(arch);
  const bool is_known = !table.by_opcode[field(word, table.opcode_position, 12)].empty();
  const bool is_refused =
      !problem.empty() && !unmodelled(arch, static_cast<unsigned>(field(word, 0, 12))).empty();
  if (!is_known || is_refused)
    image_.fail(fmt::format("kernel '{}' at 0x{:04x}: {}", kernel, address, problem));
  const std::string refused = refusal_ == nullptr || !problem.empty() ? "" : refusal_(instruction);
  if (!refused.empty())
    image_.fail(fmt::format("kernel '{}' at 0x{:04x} ({}): {}", kernel, address,
                            text_of(instruction), refused));
  seen_.insert(glance_key(word));
}

}  // namespace shflsim::isa
