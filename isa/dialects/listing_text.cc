// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/listing_text.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "isa/base/bounded.h"
#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"

namespace shflsim::isa {
namespace {

class ListingReader {
 public:
  ListingReader(const SourceText& source, Family family) : source_(source), family_(family) {}

  ListingText read() {
    size_t at = 0;
    while (at < source_.text.size()) {
      const size_t end = std::min(source_.text.find('\n', at), source_.text.size());
      ++line_;
      const auto line = std::string_view(source_.text).substr(at, end - at);
      in_order_ = faults_.hold([&] { read_line(line); }) && in_order_;
      at = end + 1;
    }
    faults_.raise();
    if (listing_.kernels.empty()) {
      throw InputError({source_.file}, "no kernel in it; expected a listing with code");
    }
    for (const ListedKernel& each : listing_.kernels) faults_.hold([&] { check_bundles(each); });
    faults_.raise();
    return std::move(listing_);
  }

 private:
  Position here(unsigned column = 0) const { return {source_.file, line_, column}; }

  void read_line(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (starts_with(text, "Function :")) return begin_kernel(trimmed(text.substr(10)));
    if (starts_with(text, "code for sm_")) return check_architecture(text.substr(12));
    if (starts_with(text, ".section\t") || starts_with(text, ".section "))
      return begin_section(text);
    if (data_.is_open()) return data_.read(text, here());
    if (!in_code_) return;
    if (starts_with(text, ".sectioninfo")) return read_registers(text);
    if (starts_with(text, "/* 0x")) return read_word(text, line);
    if (starts_with(text, "/*")) return read_instruction(text, line);
    if (is_label(text)) {
      kernel().labels[std::string(text.substr(0, text.size() - 1))] = next_address();
    }
  }

  static bool is_label(std::string_view text) {
    return text.size() > 1 && text.back() == ':' &&
           text.find_first_of(" \t") == std::string_view::npos;
  }

  void check_bundles(const ListedKernel& each) const {
    if (family_ == Family::kSm70) return;
    if (!each.words.empty() && each.words.size() % 4 == 0) return;
    throw InputError({source_.file, each.line},
                     "kernel '" + each.name + "' has " + std::to_string(each.words.size()) +
                         " words; expected a multiple of 4 (one control word, three instructions)");
  }

  ListedKernel& kernel() { return listing_.kernels.back(); }

  void check_architecture(std::string_view digits) const {
    if (family_ == Family::kSm70) return;
    const uint64_t sm = whole_number(leading_name(digits)).value_or(0);
    if (sm < 50 || sm >= 70) {
      throw InputError(
          here(), "code for sm_" + std::string(leading_name(digits)) + "; expected sm_50 to sm_62");
    }
  }

  void begin_kernel(std::string_view name) {
    listing_.kernels.emplace_back();
    kernel().name = std::string(name);
    kernel().line = line_;
    in_code_ = true;
    in_order_ = true;
    pending_word_ = false;
  }

  void begin_section(std::string_view text) {
    std::string_view name = trimmed(text.substr(8));
    name = name.substr(0, name.find_first_of(",\t \""));
    in_code_ = starts_with(name, ".text.");
    listing_.has_braces = true;  // nvdisasm prints braces; cuobjdump prints no sections
    data_.begin(name);
    if (in_code_) begin_kernel(name.substr(6));
  }

  void read_registers(std::string_view text) {
    const size_t at = text.find("SHI_REGISTERS=");
    if (at != std::string_view::npos) {
      const std::string_view digits = leading_name(text.substr(at + 14));
      kernel().registers =
          static_cast<unsigned>(bounded_number(digits, kMostRegisters, "SHI_REGISTERS", here()));
    }
  }

  /// The address of the next word. A label precedes its bundle's control word, or is between words.
  uint32_t next_address() const {
    return static_cast<uint32_t>(listing_.kernels.back().words.size() * 8 +
                                 (pending_word_ ? 8 : 0));
  }

  void read_word(std::string_view text, std::string_view line) {
    const std::string digits(text.substr(3, text.find('*', 3) - 3));
    char* end = nullptr;
    const uint64_t word = std::strtoull(digits.c_str(), &end, 16);
    const unsigned column = column_of(line, text) + 3;
    if (std::string_view(digits).substr(2).find_first_not_of("0123456789abcdefABCDEF ") !=
        std::string_view::npos) {
      throw InputError(here(column), "no hexadecimal word; expected /* 0x and 16 digits */");
    }
    if (trimmed(digits).size() != 18) {
      throw InputError(here(column), "a word of " + std::to_string(trimmed(digits).size() - 2) +
                                         " digits; expected 16");
    }
    if (family_ == Family::kSm70 && !pending_word_ && kernel().words.size() % 2 == 0)
      throw InputError(here(column),
                       "a word without its instruction; expected /*address*/ and the "
                       "instruction's text in front");
    kernel().words.push_back(word);
    kernel().word_lines.push_back(line_);
    pending_word_ = false;
  }

  static unsigned column_of(std::string_view line, std::string_view part) {
    return static_cast<unsigned>(part.data() - line.data()) + 1;
  }

  void read_instruction(std::string_view text, std::string_view line) {
    const size_t close = text.find("*/");
    const std::string address_text(text.substr(2, close == std::string_view::npos ? 0 : close - 2));
    char* end = nullptr;
    const unsigned long address = std::strtoul(address_text.c_str(), &end, 16);
    if (address_text.empty() || *end != '\0') {
      throw InputError(here(column_of(line, text)),
                       "no address; expected /*hex*/ before the instruction");
    }
    std::string_view rest = text.substr(close + 2);
    const size_t word = rest.rfind("/* 0x");
    const size_t end_of_text = std::min(word, rest.find("//"));  // nvdisasm -plr comments lines
    const std::string_view instruction = trimmed(rest.substr(0, end_of_text));
    if (starts_with(instruction, "{")) listing_.has_braces = true;  // cuobjdump of CUDA 11
    if (in_order_ && address != next_address()) {
      throw InputError(
          here(column_of(line, text)),
          "address " + address_text + " out of order; expected " + hex_address(next_address()));
    }
    kernel().texts[static_cast<uint32_t>(address)] = {std::string(instruction), line_,
                                                      column_of(line, instruction)};
    if (in_order_ && pending_word_)
      throw InputError(here(), "the instruction before has no word; expected /* 0x... */");
    pending_word_ = true;
    if (word != std::string_view::npos) read_word(rest.substr(word), line);
  }

  static std::string hex_address(uint32_t address) {
    char text[12];
    std::snprintf(text, sizeof text, "%04x", address);
    return text;
  }

  const SourceText& source_;
  Family family_;
  ListingText listing_;
  unsigned line_ = 0;
  bool in_code_ = false;
  DataReader data_{&listing_.data};
  bool pending_word_ = false;  ///< the last instruction's word has not been read yet
  bool in_order_ = true;       ///< false after a line with a fault: then addresses are not checked
  Faults faults_;
};

}  // namespace

ListingText read_listing(const SourceText& source, Family family) {
  return ListingReader(source, family).read();
}

Control ListedKernel::control_at(size_t word) const {
  return control_from_word(words[word - word % 4], static_cast<unsigned>(word % 4 - 1));
}

std::string ListedKernel::text_at(uint32_t address) const {
  const auto listed = texts.find(address);
  if (listed == texts.end()) return "";
  std::string text = listed->second.text;
  const size_t open = text.find("`(");
  const size_t close = text.find(')', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return text;
  const auto label = labels.find(text.substr(open + 2, close - open - 2));
  if (label == labels.end()) return text;
  char target[16];
  std::snprintf(target, sizeof target, "0x%x", label->second);
  return text.replace(open, close - open + 1, target);
}

std::string Braces::around(const std::string& text, const Control& control) {
  if (open_) {
    open_ = false;
    return text + " }";
  }
  open_ = printed_ && control.dual_issue();
  return open_ ? "{ " + text : text;
}

std::string without_spaces(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (starts_with(text.substr(i), "(*")) {
      const size_t end = text.find("*)", i);
      if (end == std::string_view::npos) break;
      i = end + 1;
    } else if (std::isspace(static_cast<unsigned char>(text[i])) == 0 && text[i] != ';') {
      out += text[i];
    }
  }
  return out;
}

}  // namespace shflsim::isa
