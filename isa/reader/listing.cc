// SPDX-License-Identifier: Apache-2.0
// Listings of sm_5x and sm_6x code as cuobjdump -sass and nvdisasm -hex print them. The words are
// the truth: each is decoded, and a text that says something else than its word is an error.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

#include "isa/codec.h"
#include "isa/input_error.h"
#include "isa/reader/source.h"

namespace shflsim::isa {
namespace {

/// An instruction's text as listed, and where it stands in the file.
struct ListedText {
  std::string text;
  unsigned line = 0;
  unsigned column = 0;
};

struct ListedKernel {
  std::string name;
  unsigned line = 0;
  unsigned registers = 0;
  std::vector<uint64_t> words;  ///< from address 0 up, control words included
  std::vector<unsigned> word_lines;
  std::map<uint32_t, ListedText> texts;  ///< by address
  std::map<std::string, uint32_t> labels;
};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

/// What a comparison of texts looks at: no white space, braces, ';' or annotations (*...*).
std::string essence(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (starts_with(text.substr(i), "(*")) {
      const size_t end = text.find("*)", i);
      if (end == std::string_view::npos) break;
      i = end + 1;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != ';' && c != '{' &&
               c != '}') {
      out += c;
    }
  }
  return out;
}

class ListingReader {
 public:
  explicit ListingReader(const SourceText& source) : source_(source) {}

  std::vector<ListedKernel> read() {
    size_t at = 0;
    while (at < source_.text.size()) {
      const size_t end = std::min(source_.text.find('\n', at), source_.text.size());
      ++line_;
      read_line(std::string_view(source_.text).substr(at, end - at));
      at = end + 1;
    }
    return std::move(kernels_);
  }

 private:
  Position here(unsigned column = 0) const { return {source_.file, line_, column}; }

  void read_line(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (starts_with(text, "Function :")) return begin_kernel(trimmed(text.substr(10)));
    if (starts_with(text, "code for sm_")) return check_architecture(text.substr(12));
    if (starts_with(text, ".section")) return begin_section(text);
    if (!in_code_) return;
    if (starts_with(text, ".sectioninfo")) return read_registers(text);
    if (starts_with(text, "/* 0x")) return read_word(text, line);
    if (starts_with(text, "/*")) return read_instruction(text, line);
    if (text.size() > 1 && text.back() == ':' && text.front() == '.') {
      kernels_.back().labels[std::string(text.substr(0, text.size() - 1))] = next_address();
    }
  }

  void check_architecture(std::string_view digits) const {
    const int sm = std::atoi(std::string(digits).c_str());
    if (sm < 50 || sm >= 70) {
      throw InputError(here(), "code for sm_" + std::to_string(sm) + "; expected sm_50 to sm_62");
    }
  }

  void begin_kernel(std::string_view name) {
    kernels_.emplace_back();
    kernels_.back().name = std::string(name);
    kernels_.back().line = line_;
    in_code_ = true;
  }

  void begin_section(std::string_view text) {
    const size_t name = text.find(".text.");
    in_code_ = name != std::string_view::npos;
    if (!in_code_) return;
    const std::string_view rest = text.substr(name + 6);
    begin_kernel(rest.substr(0, rest.find_first_of(",\t \"")));
  }

  void read_registers(std::string_view text) {
    const size_t at = text.find("SHI_REGISTERS=");
    if (at != std::string_view::npos) {
      kernels_.back().registers =
          static_cast<unsigned>(std::atoi(std::string(text.substr(at + 14)).c_str()));
    }
  }

  /// A label stands before the control word of the bundle that it opens, or between two words.
  uint32_t next_address() const {
    return static_cast<uint32_t>(kernels_.back().words.size() * 8 + (pending_word_ ? 8 : 0));
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
    kernels_.back().words.push_back(word);
    kernels_.back().word_lines.push_back(line_);
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
    const std::string_view instruction = trimmed(rest.substr(0, word));
    if (address != next_address()) {
      throw InputError(
          here(column_of(line, text)),
          "address " + address_text + " out of order; expected " + hex_address(next_address()));
    }
    kernels_.back().texts[static_cast<uint32_t>(address)] = {std::string(instruction), line_,
                                                             column_of(line, instruction)};
    if (pending_word_)
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
  std::vector<ListedKernel> kernels_;
  unsigned line_ = 0;
  bool in_code_ = false;
  bool pending_word_ = false;  ///< an instruction's word has not been met yet
};

/// `text` with each label in it, `(.L_x_1), replaced by the hexadecimal address.
std::string with_addresses(std::string text, const std::map<std::string, uint32_t>& labels) {
  const size_t open = text.find("`(");
  const size_t close = text.find(')', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return text;
  const auto label = labels.find(text.substr(open + 2, close - open - 2));
  if (label == labels.end()) return text;
  char address[16];
  std::snprintf(address, sizeof address, "0x%x", label->second);
  return text.replace(open, close - open + 1, address);
}

class Listing final : public Source {
 public:
  explicit Listing(const SourceText& source)
      : file_(source.file), kernels_(ListingReader(source).read()) {
    if (kernels_.empty())
      throw InputError({file_}, "no kernel in it; expected a listing with code");
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const ListedKernel& kernel : kernels_) names.push_back(kernel.name);
    return names;
  }

  Program program(const std::string& name) const override {
    const auto kernel = std::find_if(kernels_.begin(), kernels_.end(),
                                     [&name](const ListedKernel& k) { return k.name == name; });
    if (kernel == kernels_.end()) throw InputError({file_}, "no kernel '" + name + "'");
    return decoded(*kernel);
  }

 private:
  Program decoded(const ListedKernel& kernel) const {
    if (kernel.words.empty() || kernel.words.size() % 4 != 0) {
      throw InputError(
          {file_, kernel.line},
          "kernel '" + kernel.name + "' has " + std::to_string(kernel.words.size()) +
              " words; expected a multiple of 4 (one control word, three instructions)");
    }
    Program program;
    program.name = kernel.name;
    program.registers = kernel.registers;
    for (size_t i = 0; i < kernel.words.size(); ++i) {
      if (i % 4 != 0) append(kernel, i, &program);
    }
    if (program.registers == 0) program.registers = program.registers_used();
    return program;
  }

  void append(const ListedKernel& kernel, size_t i, Program* program) const {
    const uint32_t address = static_cast<uint32_t>(i * 8);
    const Control control =
        control_from_word(kernel.words[i - i % 4], static_cast<unsigned>(i % 4 - 1));
    Instruction instruction;
    const std::string problem = decode(kernel.words[i], address, control, &instruction);
    if (!problem.empty()) throw InputError({file_, kernel.word_lines[i]}, problem);
    check_text(kernel, instruction);
    program->texts.push_back(text_of(instruction));
    program->code.push_back(instruction);
  }

  void check_text(const ListedKernel& kernel, const Instruction& instruction) const {
    const auto listed = kernel.texts.find(instruction.address);
    if (listed == kernel.texts.end()) {
      throw InputError({file_, kernel.line}, "kernel '" + kernel.name +
                                                 "' has a word but no text at address " +
                                                 std::to_string(instruction.address));
    }
    const std::string own = text_of(instruction);
    if (essence(with_addresses(listed->second.text, kernel.labels)) == essence(own)) return;
    throw InputError({file_, listed->second.line, listed->second.column},
                     "text '" + std::string(trimmed(listed->second.text)) +
                         "' disagrees with its word; expected '" + own + "'");
  }

  std::string file_;
  std::vector<ListedKernel> kernels_;
};

bool recognises(const SourceText& source) {
  const bool has_kernel = source.text.find("Function :") != std::string::npos ||
                          source.text.find(".section") != std::string::npos;
  return has_kernel && source.text.find("/* 0x") != std::string::npos;
}

std::unique_ptr<Source> open(SourceText source) {
  return std::make_unique<Listing>(std::move(source));
}

}  // namespace

const Dialect kListingDialect = {"listing", "cuobjdump -sass or nvdisasm -hex, sm_50 to sm_62",
                                 recognises, open};

}  // namespace shflsim::isa
