// SPDX-License-Identifier: Apache-2.0
// Fat binaries, as fatbinary and nvcc write them, alone or inside an object file, a program or a
// static library: a header, then an entry for each architecture with a cubin or PTX as its payload.
#include <elf.h>

#include <algorithm>
#include <set>
#include <utility>

#include "isa/base/bounded.h"
#include "isa/base/text_cursor.h"
#include "isa/dialects/cubin.h"
#include "isa/dialects/fatbin_entries.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace {

using KernelNames = std::vector<std::string>;

bool is_cubin_entry(const FatbinEntry& entry) { return entry.kind == FatbinEntry::Kind::kCubin; }

/// True if the entry is a cubin of a known architecture.
bool is_known_cubin(const FatbinEntry& entry) {
  return is_cubin_entry(entry) && arch_numbered(entry.sm).has_value();
}

const Dialect& dialect_of(const FatbinEntry& entry) {
  return Dialects::named(is_cubin_entry(entry) ? "cubin" : "ptx");
}

bool holds(const KernelNames& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(const std::set<std::string>& architectures) {
  std::string text;
  for (const std::string& each : architectures) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// True for a cubin that is not linked yet: made by nvcc -rdc=true; a program may also have the
/// linked one.
bool is_relocatable(std::string_view cubin) {
  constexpr size_t kType = 16;  // e_type of an ELF header
  return cubin.size() > kType && cubin[kType] == ET_REL;
}

/// An entry whose code is unpacked on first use.
class Member {
 public:
  Member(FatbinEntry entry, const SourceText& source)
      : entry_(std::move(entry)),
        file_(source.file),
        lowering_(source.lowering),
        line_refusal_(source.line_refusal) {}

  const FatbinEntry& entry() const { return entry_; }

  /// Summaries of the kernels; if the entry is damaged, one row without a name and with the faults.
  std::vector<KernelSummary> rows(bool with_code) const {
    std::vector<KernelSummary> all;
    try {
      all = with_code ? source().summaries() : listed();
    } catch (const InputError& error) {
      all.emplace_back().use = "listed";
      all.back().faults = error.faults();
    }
    for (KernelSummary& each : all) {
      each.architecture = entry_.architecture();
      each.form = is_cubin_entry(entry_) ? "ELF" : "PTX";
      each.compression = entry_.packing_name();
    }
    return all;
  }

  const KernelNames& kernels() const {
    if (names_) return *names_;
    KernelNames names;
    for (const KernelSummary& each : listed()) names.push_back(each.kernel);
    return names_.emplace(std::move(names));
  }
  /// Valid after kernels() or rows().
  bool needs_linker() const { return needs_linker_; }

  const Source& source() const {
    if (source_ == nullptr)
      source_ = is_cubin_entry(entry_) ? read_cubin(text()) : dialect_of(entry_).open(text());
    return *source_;
  }

 private:
  SourceText text() const {
    bounded(entry_.unpacked_bytes, kMostSourceBytes, "unpacked code", {file_}, "bytes");
    SourceText code = unpacked(entry_, file_);
    code.lowering = lowering_;
    code.line_refusal = line_refusal_;
    needs_linker_ = is_cubin_entry(entry_) && is_relocatable(code.text);
    return code;
  }
  std::vector<KernelSummary> listed() const { return dialect_of(entry_).list(text()); }

  FatbinEntry entry_;
  std::string file_;
  Lowering lowering_;
  std::string (*line_refusal_)(const Instruction& instruction);
  mutable std::optional<KernelNames> names_;
  mutable bool needs_linker_ = false;
  mutable std::unique_ptr<Source> source_;
};

/// Order: linked code first, then the newest first.
bool is_before(const Member* a, const Member* b) {
  if (a->needs_linker() != b->needs_linker()) return b->needs_linker();
  return a->entry().sm > b->entry().sm;
}

/// One fat binary of the file: the code of one source file, or of several that nvlink has linked.
struct Region {
  std::vector<const Member*> members;  ///< in the order of the file
  std::vector<const Member*> chosen;   ///< those that may be executed, the newest first
};

class Fatbin final : public Source {
 public:
  explicit Fatbin(const SourceText& source)
      : file_(source.file), architecture_(source.architecture), refusal_(source.refusal) {
    const std::vector<FatbinEntry> entries = read_fatbin_entries(source);
    members_.reserve(entries.size());
    for (const FatbinEntry& entry : entries) {
      const bool is_new = members_.empty() || members_.back().entry().region != entry.region;
      if (is_new) regions_.emplace_back();
      regions_.back().members.push_back(&members_.emplace_back(entry, source));
    }
    for (Region& region : regions_) region.chosen = chosen(region.members);
  }

  Arch arch() const override {
    for (const Region& region : regions_) {
      if (!region.chosen.empty()) return region.chosen.front()->source().arch();
    }
    fail_for_lack_of_code();
  }
  Arch arch_of(const std::string& kernel) const override { return found(kernel).arch; }

  KernelNames kernels() const override {
    KernelNames names;
    std::set<std::string> known;
    std::optional<InputError> damage;
    bool is_there = false;
    for (const Region& region : regions_) {
      is_there |= !region.chosen.empty();
      for (const std::string& name : names_of(region, &damage)) {
        if (known.insert(name).second) names.push_back(name);
      }
    }
    if (!is_there) fail_for_lack_of_code();
    if (names.empty() && damage) throw *damage;
    return names;
  }

  Program program(const std::string& kernel) const override { return found(kernel); }

  std::optional<std::string> lines_after(const std::string& pass,
                                         const std::string& kernel) const override {
    const std::vector<const Member*> members = members_with(kernel);
    return members.empty() ? std::nullopt : members.front()->source().lines_after(pass, kernel);
  }

  /// Summaries of all entries in order, including entries that are not chosen.
  std::vector<KernelSummary> summaries() const override { return rows(true); }

  std::vector<KernelSummary> rows(bool with_code) const {
    std::vector<std::pair<const Member*, KernelSummary>> found;
    bool is_there = false;
    for (const Region& region : regions_) {
      for (const Member* member : region.members) {
        if (!is_listed(*member, region)) continue;
        is_there = true;
        for (KernelSummary& each : member->rows(with_code))
          found.emplace_back(member, std::move(each));
      }
    }
    if (!is_there) fail_for_lack_of_code();
    return without_unlinked_doubles(found);
  }

 private:
  /// Removes rows of unlinked code whose linked form is also in the file.
  static std::vector<KernelSummary> without_unlinked_doubles(
      const std::vector<std::pair<const Member*, KernelSummary>>& found) {
    std::set<std::pair<std::string, std::string>> linked;
    for (const auto& [member, row] : found) {
      if (!member->needs_linker()) linked.emplace(row.architecture, row.kernel);
    }
    std::vector<KernelSummary> all;
    for (const auto& [member, row] : found) {
      if (!member->needs_linker() || linked.count({row.architecture, row.kernel}) == 0)
        all.push_back(row);
    }
    return all;
  }

  /// False for PTX if there is a cubin for its architecture, which has the same kernels.
  bool is_listed(const Member& member, const Region& region) const {
    const FatbinEntry& entry = member.entry();
    if (!architecture_.empty()) return entry.architecture() == architecture_;
    const auto is_its_cubin = [&entry](const Member* other) {
      return is_cubin_entry(other->entry()) && other->entry().sm == entry.sm;
    };
    return is_cubin_entry(entry) ||
           std::none_of(region.members.begin(), region.members.end(), is_its_cubin);
  }

  /// The entries that may be executed: code of the chosen architecture. If none is chosen, cubins
  /// whose words are known, or else the PTX for the oldest architecture, which needs the fewest
  /// features.
  std::vector<const Member*> chosen(const std::vector<const Member*>& members) const {
    std::vector<const Member*> all;
    const Member* oldest = nullptr;
    for (const Member* member : members) {
      const FatbinEntry& entry = member->entry();
      if (architecture_.empty() ? is_known_cubin(entry) : entry.architecture() == architecture_)
        all.push_back(member);
      if (!is_cubin_entry(entry) && (oldest == nullptr || entry.sm < oldest->entry().sm))
        oldest = member;
    }
    if (architecture_.empty() && all.empty() && oldest != nullptr) return {oldest};
    std::stable_sort(all.begin(), all.end(), is_before);
    return all;
  }

  /// The kernels' names in the newest code that is not damaged.
  static KernelNames names_of(const Region& region, std::optional<InputError>* damage) {
    for (const Member* member : region.chosen) {
      try {
        return member->kernels();
      } catch (const InputError& error) {
        if (!*damage) *damage = error;
      }
    }
    return {};
  }

  static bool has(const Member& member, const std::string& kernel) {
    try {
      return holds(member.kernels(), kernel);
    } catch (const InputError&) {  // damaged: found() says how
      return true;
    }
  }

  /// The entries that may be executed and have the kernel, in order of preference.
  std::vector<const Member*> members_with(const std::string& kernel) const {
    std::vector<const Member*> all;
    std::optional<InputError> damage;
    for (const Region& region : regions_) {
      if (!holds(names_of(region, &damage), kernel)) continue;
      for (const Member* member : region.chosen) {
        if (has(*member, kernel)) all.push_back(member);
      }
    }
    std::stable_sort(all.begin(), all.end(), is_before);
    return all;
  }

  /// The newest program with this name that can be executed; if none can, the newest one.
  const Program& found(const std::string& kernel) const {
    if (program_ && program_->name == kernel) return *program_;
    const std::vector<const Member*> members = members_with(kernel);
    if (members.empty())
      throw InputError({file_}, "no kernel '" + kernel + "'" + suggestion(kernel, kernels()));
    std::optional<InputError> damage;
    std::string why_not_newer;
    std::optional<Program> newest;
    for (const Member* member : members) {
      try {
        Program program = member->source().program(kernel);
        const std::string refused = refusal_ == nullptr ? "" : refusal_(program);
        if (refused.empty()) {
          add_notes(*member, kernel, why_not_newer, &program);
          return program_.emplace(std::move(program));
        }
        if (why_not_newer.empty()) why_not_newer = refused;
        if (!newest) newest = std::move(program);
      } catch (const InputError& error) {
        if (why_not_newer.empty()) why_not_newer = error.faults().front().line();
        if (!damage) damage = error;
      }
    }
    if (!newest) throw *damage;
    return program_.emplace(std::move(*newest));
  }

  /// Adds a note that names the chosen code if the file has other code of the kernel too.
  void add_notes(const Member& taken, const std::string& kernel, const std::string& why_not_newer,
                 Program* program) const {
    if (!why_not_newer.empty()) program->notes.push_back(why_not_newer);
    if (!architecture_.empty()) return;
    std::set<std::string> others;
    std::optional<InputError> damage;
    for (const Region& region : regions_) {
      if (!holds(names_of(region, &damage), kernel)) continue;
      for (const Member* each : region.members) others.insert(each->entry().architecture());
    }
    const std::string architecture = taken.entry().architecture();
    others.erase(architecture);
    if (others.empty()) return;
    program->notes.push_back(file_ + ": takes the code of " + architecture + "; also holds " +
                             joined(others) + " (--arch)");
  }

  [[noreturn]] void fail_for_lack_of_code() const {
    std::set<std::string> there;
    for (const Member& member : members_) there.insert(member.entry().architecture());
    throw InputError({file_}, "holds " + (there.empty() ? "no code" : joined(there)) +
                                  "; expected " +
                                  (architecture_.empty() ? "a cubin of sm_50 to sm_121, or PTX"
                                                         : architecture_ + " (--arch)"));
  }

  std::string file_;
  std::string architecture_;
  std::string (*refusal_)(const Program&);
  std::vector<Member> members_;
  std::vector<Region> regions_;
  mutable std::optional<Program> program_;  ///< the one found last
};

bool is_fatbin(const SourceText& source) {
  return find_fatbin(source.text) != std::string_view::npos;
}
std::unique_ptr<Source> open_fatbin(const SourceText& source) {
  return std::make_unique<Fatbin>(source);
}
std::vector<KernelSummary> list_fatbin(const SourceText& source) {
  return Fatbin(source).rows(false);
}

const bool fatbin_registered =
    Dialects::add({"fatbin", "fat binary, or a program or library with one in it", is_fatbin,
                   open_fatbin, 11, true, true, list_fatbin});

/// How files begin that have no code for a GPU, or are packed.
struct ForeignMagic {
  std::string_view bytes;
  const char* what;
};
constexpr const char* kNoDeviceCode =
    "is a program or library without code for a GPU in it; expected what nvcc builds, or a cubin";
constexpr size_t kElfHeader = 64;  // bytes
constexpr ForeignMagic kForeignMagics[] = {
    {"\177ELF", kNoDeviceCode},
    {"!<arch>\n", kNoDeviceCode},
    {"!<thin>\n", "is a thin archive, which has no code in itself; expected one of its members"},
    {"BC\xC0\xDE", "is LLVM bitcode; expected what is compiled from it"},
    {"\3757zXZ", "is packed by xz; expected it unpacked, or packed by gzip once"},
    {"\x28\xB5\x2F\xFD", "is packed by zstd; expected it unpacked, or packed by gzip once"},
    {"BZh", "is packed by bzip2; expected it unpacked, or packed by gzip once"},
    {"PK\3\4", "is packed by zip; expected it unpacked, or packed by gzip once"},
    {"\x1F\x8B", "is packed by gzip twice; expected it unpacked, or packed by gzip once"},
};

const ForeignMagic* magic_of(const SourceText& source) {
  const auto* const found = std::find_if(
      std::begin(kForeignMagics), std::end(kForeignMagics),
      [&source](const ForeignMagic& each) { return starts_with(source.text, each.bytes); });
  const bool is_cut = found == std::begin(kForeignMagics) && source.text.size() < kElfHeader;
  return found == std::end(kForeignMagics) || is_cut ? nullptr : found;
}

bool is_foreign_binary(const SourceText& source) { return magic_of(source) != nullptr; }

std::unique_ptr<Source> refuse_binary(const SourceText& source) {
  throw InputError({source.file}, magic_of(source)->what);
}

const bool binary_registered =
    Dialects::add({"binary", "a packed file, or a binary without code for a GPU: refused",
                   is_foreign_binary, refuse_binary, 12, true, true});

}  // namespace
}  // namespace shflsim::isa
