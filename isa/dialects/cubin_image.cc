// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/cubin_image.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

#include "isa/base/bounded.h"
#include "isa/code/reserved_shared.h"

namespace shflsim::isa {
namespace {

constexpr unsigned kElfMachineCuda = 190;
constexpr uint8_t kOsAbiCuda13 = 0x41;  // from CUDA 13 on, e_flags has the architecture in 15:8

constexpr uint64_t kMostBarriers = 16;  // of a block

constexpr uint8_t kEntry = 0x10;  // flag of a symbol that is a kernel: STO_CUDA_ENTRY

unsigned architecture_of(const ElfFile& elf) {
  const GElf_Ehdr& header = elf.header();
  if (header.e_machine != kElfMachineCuda) {
    elf.fail("is an ELF file for machine " + std::to_string(header.e_machine) +
             " without code for a GPU in it; expected a cubin (190) or a fat binary");
  }
  const bool is_new = header.e_ident[EI_OSABI] == kOsAbiCuda13;
  return is_new ? (header.e_flags >> 8) & 0xFF : header.e_flags & 0xFF;
}

uint64_t word_in(const FileBytes& bytes, size_t offset) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + offset, sizeof word);
  return word;
}

uint64_t value_of(const std::map<std::string, uint64_t>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? 0 : found->second;
}

}  // namespace

CubinImage::CubinImage(const SourceText& source) : file_(source.file), elf_(source) {
  sm_ = architecture_of(elf_);
  sections_ = elf_.sections();
  symbols_ = elf_.symbols();
  for (size_t i = sections_.size(); i-- > 0;) by_name_[sections_[i].name] = i;
  read_file_attributes();
}

/// The kernels. In code that is not linked yet, functions that kernels call also have a section.
std::vector<std::string> CubinImage::kernels() const {
  std::set<std::string> called;
  for (const ElfSymbol& symbol : symbols_) {
    if (symbol.type == STT_FUNC && (symbol.other & kEntry) == 0) called.insert(symbol.name);
  }
  std::vector<std::string> names;
  for (const ElfSection& section : sections_) {
    if (section.name.compare(0, 6, ".text.") != 0) continue;
    const std::string name = section.name.substr(6);
    if (called.count(name) == 0) names.push_back(name);
  }
  return names;
}

const ElfSection* CubinImage::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &sections_[found->second];
}

const ElfSection* CubinImage::numbered(uint32_t section) const {
  const auto same = [section](const ElfSection& each) { return each.index == section; };
  const auto found = std::find_if(sections_.begin(), sections_.end(), same);
  return section == 0 || found == sections_.end() ? nullptr : &*found;
}

bool CubinImage::is_variable(uint32_t symbol) const {
  if (symbol >= symbols_.size()) return false;
  const ElfSection* section = numbered(symbols_[symbol].section);
  return section != nullptr &&
         (section->name == ".nv.global" || section->name == ".nv.global.init");
}

/// A bank of all kernels is .nv.constantN, a bank of one kernel .nv.constantN.KERNEL.
std::optional<uint8_t> CubinImage::constant_bank(uint32_t symbol) const {
  constexpr std::string_view kBank = ".nv.constant";
  if (symbol >= symbols_.size()) return std::nullopt;
  const ElfSection* section = numbered(symbols_[symbol].section);
  if (section == nullptr || section->name.compare(0, kBank.size(), kBank) != 0) return std::nullopt;
  const std::string rest = section->name.substr(kBank.size());
  const std::optional<uint64_t> number = whole_number(rest.substr(0, rest.find('.')));
  if (!number || *number >= 32) return std::nullopt;
  return static_cast<uint8_t>(*number);
}

std::string CubinImage::symbol_name(uint32_t symbol) const {
  return symbol < symbols_.size() ? symbols_[symbol].name : std::to_string(symbol);
}

const std::vector<ElfRelocation>& CubinImage::relocations(const std::string& section) const {
  static const std::vector<ElfRelocation> none;
  if (!relocations_) {
    relocations_.emplace();
    for (const ElfRelocation& each : elf_.relocations())
      (*relocations_)[each.section].push_back(each);
  }
  const auto found = relocations_->find(section);
  return found == relocations_->end() ? none : found->second;
}

/// Each attribute consists of a format, a number, and a 16-bit size or value.
std::vector<CubinImage::Attribute> CubinImage::attributes(const std::string& section) const {
  std::vector<Attribute> all;
  const ElfSection* info = find(section);
  const FileBytes bytes = info == nullptr ? FileBytes{} : info->bytes;
  for (size_t at = 0; at + 4 <= bytes.size();) {
    const bool sized = bytes[at] == Attribute::kSized;
    const auto value = static_cast<uint16_t>(bytes[at + 2] + 256 * bytes[at + 3]);
    const size_t size = sized ? value : 0;
    if (at + 4 + size > bytes.size()) fail("attributes run over the end of " + section);
    all.push_back({bytes[at + 1], value, {bytes.begin() + at + 4, size}});
    at += 4 + size;
  }
  return all;
}

/// Registers and stack, by symbol, of every function in the file.
void CubinImage::read_file_attributes() {
  for (const Attribute& attribute : attributes(".nv.info")) {
    if (attribute.payload.size() != 8) continue;
    const uint64_t pair = word_in(attribute.payload, 0);
    const uint32_t symbol = static_cast<uint32_t>(pair);
    if (symbol >= symbols_.size()) continue;
    const std::string& name = symbols_[symbol].name;
    if (attribute.number == Attribute::kRegisters) registers_[name] = pair >> 32;
    if (attribute.number == Attribute::kMinStack) stacks_[name] = pair >> 32;
  }
}

/// EIATTR_KPARAM_INFO: index (32 bits), ordinal and offset (16 each), then flags with the size in
/// bits 31:18.
std::vector<Program::Parameter> CubinImage::parameters(const std::string& kernel) const {
  std::map<uint16_t, Program::Parameter> by_ordinal;
  for (const Attribute& attribute : attributes(".nv.info." + kernel)) {
    if (attribute.number != Attribute::kParameter || attribute.payload.size() != 12) continue;
    const uint64_t place = word_in(attribute.payload, 0) >> 32;
    const uint64_t flags = word_in(attribute.payload, 4) >> 32;
    by_ordinal[static_cast<uint16_t>(place)] = {static_cast<uint32_t>(place >> 16),
                                                static_cast<uint32_t>(flags >> 18)};
  }
  std::vector<Program::Parameter> all;
  for (const auto& [ordinal, parameter] : by_ordinal) all.push_back(parameter);
  return all;
}

/// From sm_90 on, the section's info has no register count.
uint64_t CubinImage::registers(const std::string& kernel) const {
  const ElfSection* text = find(".text." + kernel);
  const uint64_t said = value_of(registers_, kernel);
  return bounded(said != 0 || text == nullptr ? said : text->info >> 24, kMostRegisters,
                 "a register count", {file_});
}

uint64_t CubinImage::local_bytes(const std::string& kernel) const {
  constexpr uint64_t kUnknown = 0xFFFFFFFF;  // stack size of code that recurses or calls by pointer
  const uint64_t said = value_of(stacks_, kernel);
  return bounded(said == kUnknown ? 0 : said, kMostLocalBytes, "a stack", {file_}, "bytes");
}

uint64_t CubinImage::shared_bytes(const std::string& kernel) const {
  const ElfSection* shared = find(".nv.shared." + kernel);
  if (shared == nullptr) return 0;
  const uint64_t bytes = bounded(shared->size, kMostSharedBytes, shared->name, {file_}, "bytes");
  const bool is_linked = elf_.header().e_type != ET_REL;  // a linker adds the reserved bytes
  return is_linked ? bytes - std::min(bytes, reserved_shared_bytes(sm_)) : bytes;
}

/// An attribute, or before CUDA 13 bits 26:20 of the code's section flags.
uint64_t CubinImage::barriers(const std::string& kernel) const {
  const ElfSection* text = find(".text." + kernel);
  uint64_t said = text == nullptr ? 0 : text->flags >> 20 & 0x7F;
  for (const Attribute& attribute : attributes(".nv.info." + kernel)) {
    if (attribute.number == Attribute::kBarriers) said = attribute.value & 0xFF;
  }
  return bounded(said, kMostBarriers, "a count of barriers", {file_});
}

uint32_t CubinImage::most_threads(const std::string& kernel) const {
  for (const Attribute& attribute : attributes(".nv.info." + kernel)) {
    std::array<uint32_t, 3> extent{};
    const bool holds_it =
        attribute.number == Attribute::kMostThreads && attribute.payload.size() >= sizeof extent;
    if (!holds_it) continue;
    std::memcpy(extent.data(), attribute.payload.data(), sizeof extent);
    return static_cast<uint32_t>(product_of(uint64_t{extent[0]} * extent[1], extent[2]));
  }
  return 0;
}

std::array<uint32_t, 3> CubinImage::cluster(const std::string& kernel) const {
  std::array<uint32_t, 3> extent{};
  for (const Attribute& attribute : attributes(".nv.info." + kernel)) {
    if (attribute.number != Attribute::kCluster || attribute.payload.size() != sizeof extent)
      continue;
    std::memcpy(extent.data(), attribute.payload.data(), sizeof extent);
    const uint64_t blocks = product_of(uint64_t{extent[0]} * extent[1], extent[2]);
    const bool is_none = extent == std::array<uint32_t, 3>{};
    if (!is_none && (blocks == 0 || blocks > kMostClusterBlocks))
      fail("kernel '" + kernel + "' has clusters of " + std::to_string(extent[0]) + " by " +
           std::to_string(extent[1]) + " by " + std::to_string(extent[2]) +
           " blocks; expected 1 to 16 blocks");
  }
  return extent;
}

KernelSummary CubinImage::summary(const std::string& kernel) const {
  KernelSummary summary;
  summary.kernel = kernel;
  summary.architecture = "sm_" + std::to_string(sm_);
  summary.form = "ELF";
  summary.use = "listed";
  const ElfSection* text = find(".text." + kernel);
  const uint64_t bytes = text == nullptr ? 0 : text->bytes.size();
  // Up to sm_62 a control word precedes three instructions of 64 bits; then each has 128 bits.
  summary.instructions = sm_ < 70 ? bytes / 32 * 3 : bytes / 16;
  summary.registers = registers(kernel);
  summary.shared_bytes = shared_bytes(kernel);
  summary.local_bytes = local_bytes(kernel);
  summary.barriers = barriers(kernel);
  for (const Attribute& attribute : attributes(".nv.info." + kernel)) {
    if (attribute.number == Attribute::kBank && attribute.payload.size() == 8)
      summary.parameter_base = word_in(attribute.payload, 0) >> 32 & 0xFFFF;
  }
  summary.parameters.emplace();
  for (const Program::Parameter& each : parameters(kernel))
    summary.parameters->push_back(each.size);
  return summary;
}

}  // namespace shflsim::isa
