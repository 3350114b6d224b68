// SPDX-License-Identifier: Apache-2.0
// What cuobjdump prints of a file that holds code in several forms: a listing for each
// architecture, PTX, or neither. One form is read, as of the file itself.
#include <algorithm>
#include <set>
#include <utility>

#include "isa/assembly/text_lines.h"
#include "isa/base/text_cursor.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace {
namespace cuobjdump {

constexpr std::string_view kEntryMark = "Fatbin ";  // "elf code:" or "ptx code:"
constexpr std::string_view kCodeMark = "code for sm_";
constexpr std::string_view kArchMark = "arch = sm_";

/// Code of one form. Each line of the text belongs to one part.
struct Part {
  unsigned sm = 0;  ///< 0 where the text is silent
  bool is_ptx = false;
  bool has_code = false;
  unsigned first_line = 0;

  std::string architecture() const { return (is_ptx ? "compute_" : "sm_") + std::to_string(sm); }
};

unsigned number_behind(std::string_view line, std::string_view mark) {
  return static_cast<unsigned>(whole_number(leading_name(line.substr(mark.size()))).value_or(0));
}

/// Whether a line is code of the part: a word, or what begins a module of PTX.
bool is_code(std::string_view line, const Part& part) {
  return part.is_ptx ? starts_with(line, ".version") : line.find("/* 0x") != std::string_view::npos;
}

std::vector<Part> parts_of(const SourceText& source) {
  std::vector<Part> parts;
  for_each_line(source.text, [&parts](std::string_view line, unsigned number) {
    line = trimmed(line);
    const bool begins_entry = starts_with(line, kEntryMark);
    const bool begins_code = starts_with(line, kCodeMark);
    const unsigned sm = begins_code ? number_behind(line, kCodeMark) : 0;
    const bool is_other = begins_code && (parts.empty() || parts.back().is_ptx ||
                                          (parts.back().sm != 0 && parts.back().sm != sm));
    if (begins_entry || is_other) {
      parts.emplace_back().first_line = number;
      parts.back().is_ptx = starts_with(line, "Fatbin ptx");
    }
    if (parts.empty()) return;
    Part& part = parts.back();
    if (begins_code) part.sm = sm;
    if (part.sm == 0 && starts_with(line, kArchMark)) part.sm = number_behind(line, kArchMark);
    part.has_code = part.has_code || is_code(line, part);
  });
  return parts;
}

bool has_words(const SourceText& source) {
  return source.text.find("/* 0x") != std::string_view::npos;
}

std::set<std::string> architectures_of(const std::vector<Part>& parts) {
  std::set<std::string> all;
  for (const Part& part : parts) {
    if (part.has_code) all.insert(part.architecture());
  }
  return all;
}

std::string joined(const std::set<std::string>& architectures) {
  std::string text;
  for (const std::string& each : architectures) text += (text.empty() ? "" : ", ") + each;
  return text;
}

/// The text with the code of one architecture alone, on the same lines.
SourceText text_of_part(const SourceText& source, const std::vector<Part>& parts,
                        const std::string& architecture) {
  std::string text;
  text.reserve(source.text.size());
  auto next = parts.begin();
  bool is_kept = false;
  bool is_header = false;
  for_each_line(source.text, [&](std::string_view line, unsigned number) {
    if (next != parts.end() && next->first_line == number) {
      is_kept = next->has_code && next->architecture() == architecture;
      is_header = next->is_ptx;
      ++next;
    }
    is_header = is_header && !starts_with(trimmed(line), ".version");
    if (is_kept && !is_header) text += line;
    text += '\n';
  });
  SourceText part = source;
  part.text = std::move(text);
  part.architecture.clear();
  return part;
}

std::unique_ptr<Source> open_part(const SourceText& part) {
  for (const Dialect& dialect : Dialects::all()) {
    if (dialect.recognises(part)) return dialect.open(part);
  }
  throw InputError({part.file}, "holds no code that can be read; expected the output of cuobjdump");
}

class Cuobjdump final : public Source {
 public:
  explicit Cuobjdump(const SourceText& source)
      : source_(source), parts_(parts_of(source)), architecture_(chosen()) {
    opened_ = open_part(text_of_part(source_, parts_, architecture_));
  }

  std::vector<std::string> kernels() const override { return opened_->kernels(); }
  Arch arch() const override { return opened_->arch(); }
  Arch arch_of(const std::string& kernel) const override { return opened_->arch_of(kernel); }
  std::vector<NamedVariable> variables() const override { return opened_->variables(); }
  uint32_t most_threads(const std::string& kernel) const override {
    return opened_->most_threads(kernel);
  }
  std::optional<std::string> lines_after(const std::string& pass,
                                         const std::string& kernel) const override {
    return opened_->lines_after(pass, kernel);
  }

  Program program(const std::string& kernel) const override {
    Program program = opened_->program(kernel);
    std::set<std::string> others = architectures_of(parts_);
    others.erase(architecture_);
    if (source_.architecture.empty() && !others.empty())
      program.notes.push_back(source_.file + ": takes the code of " + architecture_ +
                              "; also holds " + joined(others) + " (--arch)");
    return program;
  }

  std::vector<KernelSummary> summaries() const override {
    std::vector<KernelSummary> all;
    std::set<std::string> left = architectures_of(parts_);
    if (!source_.architecture.empty()) left = {architecture_};
    for (const Part& part : parts_) {
      if (left.erase(part.architecture()) == 0) continue;
      const SourceText text = text_of_part(source_, parts_, part.architecture());
      for (KernelSummary& each : open_part(text)->summaries()) {
        each.architecture = part.architecture();
        all.push_back(std::move(each));
      }
    }
    return all;
  }

 private:
  /// As of a fat binary: the newest code, or the PTX for the oldest architecture.
  std::string chosen() const {
    const std::set<std::string> there = architectures_of(parts_);
    if (there.count(source_.architecture) != 0) return source_.architecture;
    const Part* best = nullptr;
    for (const Part& part : parts_) {
      const bool is_usable = part.has_code && (part.is_ptx || arch_numbered(part.sm).has_value());
      if (!is_usable || !source_.architecture.empty()) continue;
      if (best == nullptr || is_before(part, *best)) best = &part;
    }
    if (best != nullptr) return best->architecture();
    if (there.empty())
      throw InputError({source_.file},
                       "is output of cuobjdump without code; expected that of "
                       "cuobjdump -sass or cuobjdump -ptx");
    throw InputError({source_.file},
                     "holds " + joined(there) + "; expected " +
                         (source_.architecture.empty() ? "code of sm_50 to sm_121, or PTX"
                                                       : source_.architecture + " (--arch)"));
  }

  static bool is_before(const Part& one, const Part& other) {
    if (one.is_ptx != other.is_ptx) return other.is_ptx;
    return one.is_ptx ? one.sm < other.sm : one.sm > other.sm;
  }

  SourceText source_;
  std::vector<Part> parts_;
  std::string architecture_;  ///< of the code that is taken
  std::unique_ptr<Source> opened_;
};

/// A listing of one architecture is left to those that read listings.
bool is_cuobjdump(const SourceText& source) {
  const bool has_entries = source.text.find("Fatbin elf code:") != std::string_view::npos ||
                           source.text.find("Fatbin ptx code:") != std::string_view::npos;
  if (!has_entries && source.text.find(kCodeMark) == std::string_view::npos) return false;
  const std::vector<Part> parts = parts_of(source);
  const size_t forms = architectures_of(parts).size();
  const bool has_ptx = std::any_of(parts.begin(), parts.end(),
                                   [](const Part& part) { return part.is_ptx && part.has_code; });
  const bool is_chosen = !source.architecture.empty() && forms != 0;
  return forms > 1 || is_chosen || (has_entries && (has_ptx || !has_words(source)));
}

std::unique_ptr<Source> open_cuobjdump(const SourceText& source) {
  return std::make_unique<Cuobjdump>(source);
}

const bool cuobjdump_registered =
    Dialects::add({"cuobjdump", "cuobjdump -sass or -ptx of code in several forms", is_cuobjdump,
                   open_cuobjdump, 18, true, true});

}  // namespace cuobjdump
}  // namespace
}  // namespace shflsim::isa
