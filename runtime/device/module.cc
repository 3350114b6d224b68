// SPDX-License-Identifier: Apache-2.0
#include "runtime/device/module.h"

#include <algorithm>
#include <cstring>

#include "isa/base/input_error.h"
#include "isa/dialects/cubin.h"

namespace shflsim::runtime {
namespace {

constexpr uint8_t kUserConstants = isa::Program::kUserConstants;

/// The fat binary and its header, as text for the reader.
isa::SourceText text_at(const void* fatbin) {
  struct Header {
    uint32_t magic;
    uint16_t version;
    uint16_t header_bytes;
    uint64_t body_bytes;
  } header;
  std::memcpy(&header, fatbin, sizeof header);
  if (std::memcmp(fatbin, isa::kFatbinMagic.data(), isa::kFatbinMagic.size()) != 0)
    throw InputError("the program registers code that is no fat binary");
  return {"the program",
          std::string(static_cast<const char*>(fatbin), header.header_bytes + header.body_bytes)};
}

}  // namespace

Module::Module(const void* fatbin) : entries_(isa::read_fatbin_entries(text_at(fatbin))) {}

std::vector<unsigned> Module::numbers(isa::FatbinEntry::Kind kind) const {
  std::vector<unsigned> all;
  for (const isa::FatbinEntry& entry : entries_) {
    if (entry.kind == kind) all.push_back(entry.sm);
  }
  return all;
}

/// A device executes cubins of its own major version, up to its own minor version. Of several PTX
/// texts, the oldest needs the fewest features.
const isa::FatbinEntry* Module::choose(unsigned arch) const {
  const isa::FatbinEntry* cubin = nullptr;
  const isa::FatbinEntry* ptx = nullptr;
  for (const isa::FatbinEntry& entry : entries_) {
    const bool is_cubin = entry.kind == isa::FatbinEntry::Kind::kCubin;
    if (is_cubin && entry.sm / 10 == arch / 10 && entry.sm <= arch &&
        (cubin == nullptr || entry.sm > cubin->sm))
      cubin = &entry;
    if (!is_cubin && (ptx == nullptr || entry.sm < ptx->sm)) ptx = &entry;
  }
  const bool lowers_ptx = arch < 70;  // to code of sm_50
  return cubin == nullptr && lowers_ptx ? ptx : cubin;
}

bool Module::load(unsigned arch, Heap& heap) {
  if (source_ != nullptr) return true;
  const isa::FatbinEntry* const entry = choose(arch);
  if (entry == nullptr) return false;
  code_ = isa::unpacked(*entry, "the program");
  const bool is_cubin = entry->kind == isa::FatbinEntry::Kind::kCubin;
  source_ = is_cubin ? isa::read_cubin(code_) : isa::Dialects::named("ptx").open(code_);
  place(heap);
  return true;
}

bool Module::has_kernel(const std::string& kernel) const {
  const std::vector<std::string> all = source_->kernels();
  return std::find(all.begin(), all.end(), kernel) != all.end();
}

const isa::Program& Module::program(const std::string& kernel) {
  std::unique_ptr<isa::Program>& program = programs_[kernel];
  if (program == nullptr) program = std::make_unique<isa::Program>(source_->program(kernel));
  return *program;
}

/// A program with the variables of all kernels: the first readable kernel of a cubin; nullptr if
/// there is none.
const isa::Program* Module::with_variables() {
  for (const std::string& kernel : source_->kernels()) {
    try {
      return &program(kernel);
    } catch (const InputError&) {  // reported when it is launched
      programs_.erase(kernel);
    }
  }
  return nullptr;
}

void Module::place(Heap& heap) {
  const std::vector<isa::NamedVariable> named = source_->variables();
  if (named.empty()) return;
  const std::optional<isa::Program> data = source_->data();
  const isa::Program* const first = data ? &*data : with_variables();
  if (first == nullptr) return;
  uint8_t* image = nullptr;
  if (!first->variables.empty()) {
    const Allocation* const made =
        heap.allocate(MemoryKind::kManaged, first->variables.size(), Allocation::kOfVariables);
    if (made == nullptr) throw InputError("no memory for the program's variables");
    std::memcpy(made->bytes, first->variables.data(), first->variables.size());
    places_.image = made->address;
    image = made->bytes;
  }
  place_constants(*first, heap);
  if (image != nullptr) isa::write_addresses(*first, places_, image);
  for (const isa::NamedVariable& each : named) {
    const bool is_constant = each.bank != isa::NamedVariable::kInImage;
    if (is_constant && constant_memory_ == nullptr) continue;
    variables_[each.name] = (is_constant ? places_.constants : places_.image) + each.offset;
  }
}

/// Constants may contain addresses of constants, so they are written after all have an address.
void Module::place_constants(const isa::Program& first, Heap& heap) {
  const auto bank = first.constants.find(kUserConstants);
  if (bank == first.constants.end() || bank->second.empty()) return;
  constant_memory_ = heap.allocate(MemoryKind::kDevice, bank->second.size());
  if (constant_memory_ == nullptr) throw InputError("no memory for the program's constants");
  places_.constants = constant_memory_->address;
  const auto constants = isa::constants_with_addresses(first, places_);
  std::memcpy(constant_memory_->bytes, constants.at(kUserConstants).data(), constant_memory_->size);
}

uint64_t Module::address_of(const std::string& variable) const {
  const auto found = variables_.find(variable);
  return found == variables_.end() ? 0 : found->second;
}

void Module::give_variables(const isa::Program& program, isa::Launch* launch) const {
  isa::use_variables(program, places_, launch);
  if (constant_memory_ != nullptr)
    launch->constants[kUserConstants].assign(constant_memory_->bytes,
                                             constant_memory_->bytes + constant_memory_->size);
}

}  // namespace shflsim::runtime
