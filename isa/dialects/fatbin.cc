// SPDX-License-Identifier: Apache-2.0
// Fat binaries, as fatbinary and nvcc write them, alone or inside an object file or a program: a
// header, then an entry for each architecture with a cubin or PTX as its payload.
#include <algorithm>
#include <set>

#include "isa/base/bounded.h"
#include "isa/dialects/cubin.h"
#include "isa/dialects/fatbin_entries.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace {

bool runs(const FatbinEntry& entry) {
  return entry.kind == FatbinEntry::Kind::kCubin && entry.sm >= 50 && entry.sm < 70;
}

class Fatbin final : public Source {
 public:
  explicit Fatbin(const SourceText& source)
      : file_(source.file),
        architecture_(source.architecture),
        lowering_(source.lowering),
        entries_(read_fatbin_entries(source)) {}

  Arch arch() const override { return sources().front()->arch(); }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const auto& source : sources()) {
      for (const std::string& name : source->kernels()) {
        if (known.insert(name).second) names.push_back(name);
      }
    }
    return names;
  }

  /// Of a kernel that is there for several architectures, the first.
  Program program(const std::string& kernel) const override {
    for (const auto& source : sources()) {
      const std::vector<std::string> names = source->kernels();
      if (std::find(names.begin(), names.end(), kernel) != names.end())
        return source->program(kernel);
    }
    throw InputError({file_}, "no kernel '" + kernel + "'" + suggestion(kernel, kernels()));
  }

  /// Summaries of all entries in their order, also of entries that are not chosen.
  std::vector<KernelSummary> summaries() const override {
    std::vector<KernelSummary> all;
    for (const FatbinEntry& entry : entries_) {
      if (!architecture_.empty() && entry.architecture() != architecture_) continue;
      for (KernelSummary& each : summaries_of(entry)) {
        each.architecture = entry.architecture();
        each.form = entry.kind == FatbinEntry::Kind::kCubin ? "ELF" : "PTX";
        each.compression = entry.packing_name();
        all.push_back(std::move(each));
      }
    }
    if (all.empty()) fail_for_lack_of_code();
    return all;
  }

 private:
  std::unique_ptr<Source> open_entry(const FatbinEntry& entry) const {
    SourceText code = unpacked(entry, file_);
    code.lowering = lowering_;
    const bool is_cubin = entry.kind == FatbinEntry::Kind::kCubin;
    return is_cubin ? read_cubin(code) : Dialects::named("ptx").open(code);
  }

  /// One without a name, and with the faults, where the entry itself is damaged.
  std::vector<KernelSummary> summaries_of(const FatbinEntry& entry) const {
    try {
      return open_entry(entry)->summaries();
    } catch (const InputError& error) {
      KernelSummary damaged;
      damaged.use = "listed";
      damaged.faults = error.faults();
      return {damaged};
    }
  }

  /// What is chosen, opened when it is first asked for.
  const std::vector<std::unique_ptr<Source>>& sources() const {
    if (!sources_.empty()) return sources_;
    uint64_t bytes = 0;
    std::vector<std::unique_ptr<Source>> opened;
    for (const FatbinEntry* entry : chosen()) {
      bytes = bounded(sum_of(bytes, entry->unpacked_bytes), kMostSourceBytes, "unpacked code",
                      {file_}, "bytes");
      opened.push_back(open_entry(*entry));
    }
    if (opened.empty()) fail_for_lack_of_code();
    sources_ = std::move(opened);
    return sources_;
  }

  /// The entries to be used: those of the chosen architecture; without one, for each region the
  /// cubins that can be executed, or where it has none the PTX for the oldest architecture, which
  /// needs the fewest features.
  std::vector<const FatbinEntry*> chosen() const {
    std::vector<const FatbinEntry*> all;
    for (size_t first = 0; first < entries_.size();) {
      const FatbinEntry* oldest = nullptr;
      const size_t before = all.size();
      size_t at = first;
      for (; at < entries_.size() && entries_[at].region == entries_[first].region; ++at) {
        const FatbinEntry& entry = entries_[at];
        if (architecture_.empty() ? runs(entry) : entry.architecture() == architecture_)
          all.push_back(&entry);
        if (entry.kind == FatbinEntry::Kind::kPtx && (oldest == nullptr || entry.sm < oldest->sm))
          oldest = &entry;
      }
      if (architecture_.empty() && all.size() == before && oldest != nullptr) all.push_back(oldest);
      first = at;
    }
    return all;
  }

  [[noreturn]] void fail_for_lack_of_code() const {
    std::set<std::string> there;
    for (const FatbinEntry& entry : entries_) there.insert(entry.architecture());
    std::string names;
    for (const std::string& name : there) names += (names.empty() ? "" : ", ") + name;
    throw InputError({file_}, "holds " + (names.empty() ? "no code" : names) + "; expected " +
                                  (architecture_.empty() ? "a cubin of sm_50 to sm_62, or PTX"
                                                         : architecture_ + " (--arch)"));
  }

  std::string file_;
  std::string architecture_;
  Lowering lowering_;
  std::vector<FatbinEntry> entries_;
  mutable std::vector<std::unique_ptr<Source>> sources_;
};

bool is_fatbin(const SourceText& source) {
  return source.text.find(kFatbinMagic) != std::string::npos;
}
std::unique_ptr<Source> open_fatbin(const SourceText& source) {
  return std::make_unique<Fatbin>(source);
}

const bool fatbin_registered = Dialects::add(
    {"fatbin", "fat binary, or a program with one in it", is_fatbin, open_fatbin, 11, true, true});

}  // namespace
}  // namespace shflsim::isa
