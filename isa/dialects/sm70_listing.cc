// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/sm70_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"
#include "isa/base/text_lines.h"
#include "isa/codec/codec.h"
#include "isa/dialects/foreign_text.h"
#include "isa/dialects/listing_text.h"

namespace shflsim::isa {
namespace {

constexpr const char* kFunction = "Function : ";
constexpr std::string_view kSection = ".section";
constexpr std::string_view kText = ".text.";
constexpr const char* kWord = "/* 0x";

constexpr unsigned kFirst = 70;

unsigned number_at(const SourceText& source, size_t at) {
  return static_cast<unsigned>(std::atoi(std::string(source.text.substr(at, 4)).c_str()));
}

/// Of ".section  .text.k,", with any white space between, the name and what follows it; "" for any
/// other line.
std::string_view code_section_in(std::string_view line) {
  const size_t section = line.find(kSection);
  if (section == std::string_view::npos) return "";
  const std::string_view name = isa::trimmed(line.substr(section + kSection.size()));
  return starts_with(name, kText) ? name.substr(kText.size()) : "";
}

bool has_code_section(std::string_view text) {
  for (size_t at = text.find(kSection); at != std::string_view::npos;
       at = text.find(kSection, at + 1)) {
    if (!code_section_in(text.substr(at, text.find('\n', at) - at)).empty()) return true;
  }
  return false;
}

/// Where the text goes on behind ".target sm_", with any white space between; npos without it.
size_t behind_target(std::string_view text) {
  constexpr std::string_view kTarget = ".target", kSm = "sm_";
  const size_t at = text.find(kTarget);
  if (at == std::string_view::npos) return at;
  const size_t name = text.find_first_not_of(" \t", at + kTarget.size());
  return text.compare(std::min(name, text.size()), kSm.size(), kSm) == 0 ? name + kSm.size()
                                                                         : std::string_view::npos;
}

/// The architecture's number that a listing of code says; 0 where the text is none.
unsigned listed_number(const SourceText& source) {
  const bool has_kernel =
      source.text.find(kFunction) != std::string::npos || has_code_section(source.text);
  if (!has_kernel) return 0;
  const size_t target = behind_target(source.text);
  if (target != std::string_view::npos) return number_at(source, target);
  for (const char* mark : {"arch = sm_", "code for sm_"}) {
    const size_t at = source.text.find(mark);
    if (at != std::string::npos) return number_at(source, at + std::strlen(mark));
  }
  // nvdisasm of CUDA 11 prints it only in the flags of the header, as CuAssembler does.
  constexpr const char* kFlag = "EF_CUDA_SM";
  const size_t flag = source.text.find(kFlag);
  const bool has_words = source.text.find(kWord) != std::string::npos;
  return flag == std::string::npos || !has_words ? 0 : number_at(source, flag + std::strlen(kFlag));
}

/// One line of the code: text with the low word, or only the high word.
struct ListedLine {
  std::string text;  ///< empty: the line holds a high word
  uint32_t address = 0;
  uint64_t word = 0;
};

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<ListedLine> listed_line(const std::string& line) {
  const size_t word = line.rfind(kWord);
  if (word == std::string::npos) return std::nullopt;
  ListedLine result;
  result.word = std::strtoull(line.c_str() + word + 3, nullptr, 16);
  const size_t address = line.find("/*");
  if (address == word) return result;
  const size_t end = line.find("*/", address);
  const size_t semicolon = line.rfind(';', word);
  if (semicolon == std::string::npos || semicolon < end) return std::nullopt;
  result.address = static_cast<uint32_t>(std::strtoul(line.c_str() + address + 2, nullptr, 16));
  result.text = trimmed(line.substr(end + 2, semicolon - end - 2));
  return result;
}

/// Of "code for sm_90" the architecture; none for any other line, and for one that is not known.
std::optional<Arch> arch_in(const std::string& line) {
  constexpr std::string_view kMark = "code for sm_";
  const size_t at = line.find(kMark);
  if (at == std::string::npos) return std::nullopt;
  return arch_numbered(static_cast<unsigned>(std::atoi(line.c_str() + at + kMark.size())));
}

/// The kernel whose code begins with this line: cuobjdump's "Function : NAME", nvdisasm's section.
std::string function_in(const std::string& line) {
  const size_t function = line.find(kFunction);
  if (function != std::string::npos)
    return trimmed(line.substr(function + std::string(kFunction).size()));
  const std::string_view section = code_section_in(line);
  return std::string(section.substr(0, section.find(',')));
}

/// nvdisasm's label before an instruction, ".L_x_5:"; "" for any other line.
std::string label_in(const std::string& line) {
  const std::string text = trimmed(line);
  const bool is_label = text.rfind(".L_", 0) == 0 && text.back() == ':';
  return is_label ? text.substr(0, text.size() - 1) : "";
}

/// Collects the instructions of one kernel line by line.
class KernelReader {
 public:
  explicit KernelReader(std::string file) : file_(std::move(file)) {}

  void take(const std::string& line, unsigned number) {
    const std::string label = label_in(line);
    if (!label.empty()) return ahead_.push_back(label);
    const std::optional<ListedLine> parts = listed_line(line);
    if (!parts) return;
    if (parts->text.empty()) return finish(parts->word);
    faults_.hold([this] { check_complete(); });
    in_order_ = in_order_ && faults_.hold([&] { check_order(parts->address, number); });
    for (const std::string& each : std::exchange(ahead_, {})) labels_[each] = parts->address;
    first_ = parts;
    where_ = {file_, number, static_cast<unsigned>(line.find(parts->text) + 1)};
  }

  /// Appends the kernel's words in order. Throws InputError if the last word lacks its second half.
  void append_words(const std::string& kernel, std::optional<Arch> arch,
                    std::vector<ListedWord>* words) {
    faults_.hold([this] { check_complete(); });
    faults_.raise();
    for (const Whole& each : all_) {
      words->push_back({kernel, each.where.line, each.first.address,
                        with_addresses(each.first.text), Word(each.first.word, each.high), arch});
    }
  }

 private:
  struct Whole {
    ListedLine first;
    uint64_t high;
    Position where;
  };

  void check_complete() const {
    if (first_) throw InputError(where_, "has half a word; expected the other 64 bits behind it");
  }
  void check_order(uint32_t address, unsigned number) const {
    if (all_.empty() || address > all_.back().first.address) return;
    std::ostringstream what;
    what << std::hex << "address 0x" << address << " out of order; expected one above 0x"
         << all_.back().first.address;
    throw InputError({file_, number, 1}, what.str());
  }
  void finish(uint64_t high) {
    if (!first_) return;
    all_.push_back({*first_, high, where_});
    first_.reset();
  }
  /// Replaces labels by addresses, as cuobjdump prints them: "BRA `(.L_x_5)" becomes "BRA 0x150".
  std::string with_addresses(const std::string& text) const {
    const size_t begin = text.find("`(");
    const size_t end = text.find(')', begin);
    if (begin == std::string::npos || end == std::string::npos) return text;
    const auto label = labels_.find(text.substr(begin + 2, end - begin - 2));
    if (label == labels_.end()) return text;
    std::ostringstream address;
    address << "0x" << std::hex << label->second;
    return text.substr(0, begin) + address.str() + text.substr(end + 1);
  }

  std::string file_;
  std::optional<ListedLine> first_;
  Position where_;
  std::vector<std::string> ahead_;  ///< labels of the next instruction
  std::map<std::string, uint32_t> labels_;
  std::vector<Whole> all_;
  bool in_order_ =
      true;  ///< false after an address out of order: all later ones are out of order too
  Faults faults_;
};

}  // namespace

namespace {

/// The lines of a function, from that which names it on.
struct ListedPart {
  std::string kernel;
  std::optional<Arch> arch;  ///< as stated in front of it
  unsigned line = 0;         ///< of the file, its first
  std::string_view text;
};

std::vector<ListedPart> listed_parts(const SourceText& source) {
  const std::string_view text = source.text;
  std::vector<ListedPart> parts;
  std::optional<Arch> arch;
  unsigned number = 0;
  all_lines(text, [&](std::string_view view, size_t at) {
    const std::string line(view);
    ++number;
    const std::optional<Arch> stated = arch_in(line);
    arch = stated ? stated : arch;
    const std::string function = function_in(line);
    if (!function.empty()) parts.push_back({function, arch, number, text.substr(at)});
    return true;
  });
  for (size_t i = 0; i + 1 < parts.size(); ++i)
    parts[i].text.remove_suffix(parts[i + 1].text.size());
  return parts;
}

void append_words(const SourceText& source, const ListedPart& part,
                  std::vector<ListedWord>* words) {
  KernelReader reader(source.file);
  unsigned number = part.line;
  all_lines(part.text, [&](std::string_view line, size_t) {
    reader.take(std::string(line), number++);
    return true;
  });
  reader.append_words(part.kernel, part.arch, words);
}

}  // namespace

std::vector<ListedWord> sm70_words(const SourceText& source) {
  std::vector<ListedWord> words;
  for (const ListedPart& part : listed_parts(source)) append_words(source, part, &words);
  return words;
}

namespace {

Arch known_arch(unsigned number, const std::string& file) {
  if (const std::optional<Arch> arch = arch_numbered(number)) return *arch;
  throw InputError({file}, "is code of sm_" + std::to_string(number) +
                               ", which is not known; expected sm_70 to sm_120");
}

}  // namespace

std::optional<Arch> sm70_arch(const SourceText& source) {
  const unsigned number = listed_number(source);
  if (number < kFirst) return std::nullopt;
  return known_arch(number, source.file);
}

namespace {

class Sm70Listing final : public Source {
 public:
  /// Of several kernels of one name the first is taken, as a linker does.
  explicit Sm70Listing(SourceText source)
      : source_(std::move(source)), number_(listed_number(source_)) {
    for (ListedPart& part : listed_parts(source_)) {
      const std::string name = part.kernel;
      if (parts_.emplace(name, std::move(part)).second) kernels_.push_back(name);
    }
  }

  std::vector<std::string> kernels() const override { return kernels_; }
  Arch arch() const override { return known_arch(number_, source_.file); }
  Program program(const std::string& kernel) const override {
    Program program;
    program.name = kernel;
    program.arch = arch();
    note_nearest_arch(source_.file, number_, &program);
    for (const ListedWord& each : words_of(kernel)) add(each, &program);
    if (program.code.empty())
      throw InputError({source_.file},
                       "kernel '" + kernel + "' has no instructions; expected words");
    std::call_once(is_read_, [this] { listing_ = read_listing(source_, Family::kSm70); });
    const ListingText& listing = listing_;
    for (const ListedKernel& each : listing.kernels) {
      if (each.name == kernel) program.registers = each.registers;
    }
    if (program.registers == 0) program.registers = program.registers_used();
    add_data(listing.data, &program);
    check_addresses(listing.data, source_.file, program);
    return program;
  }

 private:
  /// A linker or the driver puts the addresses of other code and of variables into words, in which
  /// they are 0 until then.
  void check_resolved(const ListedWord& listed) const {
    const std::string& text = listed.text;
    constexpr std::string_view kZero = " 0x0";
    const bool is_zero =
        text.size() > kZero.size() && text.substr(text.size() - kZero.size()) == kZero;
    const bool is_call = text.find("CALL.ABS") != std::string::npos &&
                         (text.find("`(") != std::string::npos || is_zero);
    const bool is_half =
        text.find("32@lo(") != std::string::npos || text.find("32@hi(") != std::string::npos;
    if (!is_call && !is_half) return;
    throw InputError({source_.file, listed.line, 1},
                     "'" + text + "' needs an address that is not in its word; expected the cubin");
  }

  void add(const ListedWord& listed, Program* program) const {
    check_resolved(listed);
    Instruction instruction;
    const std::string problem = decode(program->arch, listed.word, listed.address, &instruction);
    if (!problem.empty()) throw InputError({source_.file, listed.line, 1}, problem);
    const uint32_t expected = address_of(program->code.size(), Family::kSm70);
    if (listed.address != expected)
      throw InputError({source_.file, listed.line, 1},
                       fmt::format("address 0x{:x}; expected 0x{:x}", listed.address, expected));
    program->texts.push_back(text_of(instruction));
    program->code.push_back(instruction);
  }

  std::vector<ListedWord> words_of(const std::string& kernel) const {
    std::vector<ListedWord> words;
    const auto part = parts_.find(kernel);
    if (part != parts_.end()) append_words(source_, part->second, &words);
    return words;
  }

  const SourceText source_;
  const unsigned number_;                    ///< of the architecture
  std::map<std::string, ListedPart> parts_;  ///< by kernel
  std::vector<std::string> kernels_;         ///< in the order of the text
  mutable std::once_flag is_read_;
  mutable ListingText listing_;  ///< what is read when the first kernel is wanted
};

bool is_sm70_listing(const SourceText& source) { return listed_number(source) >= kFirst; }

std::unique_ptr<Source> open_sm70_listing(const SourceText& source) {
  if (source.text.find(kWord) == std::string::npos) {
    throw InputError({source.file}, "is a listing of sm_" + std::to_string(listed_number(source)) +
                                        " without words; " + kExpectedWords);
  }
  return std::make_unique<Sm70Listing>(source);
}

const bool sm70_listing_registered =
    Dialects::add({"sm70_listing", "cuobjdump -sass or nvdisasm -hex, sm_70 and later",
                   is_sm70_listing, open_sm70_listing, 20});

}  // namespace
}  // namespace shflsim::isa
