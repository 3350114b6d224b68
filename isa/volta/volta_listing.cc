// SPDX-License-Identifier: Apache-2.0
#include "isa/volta/volta_listing.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <utility>

#include "isa/input_error.h"
#include "isa/volta/volta_line.h"

namespace shflsim::isa {
namespace {

constexpr const char* kFunction = "Function : ";
constexpr const char* kWord = "/* 0x";

/// One line of the code: text with the low word, or the high word alone.
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

std::string function_in(const std::string& line) {
  const size_t at = line.find(kFunction);
  return at == std::string::npos ? "" : trimmed(line.substr(at + std::string(kFunction).size()));
}

/// Collects the instructions of one kernel line by line.
class KernelReader {
 public:
  explicit KernelReader(std::string file) : file_(std::move(file)) {}

  void take(const std::string& line, unsigned number) {
    const std::optional<ListedLine> parts = listed_line(line);
    if (!parts) return;
    if (parts->text.empty()) return finish(parts->word);
    check_complete();
    first_ = parts;
    line_ = number;
    column_ = static_cast<unsigned>(line.find(parts->text) + 1);
  }

  void check_complete() const {
    if (first_) throw InputError(here(), "has half a word; expected the other 64 bits behind it");
  }
  std::vector<CodeLine> lines;

 private:
  Position here() const { return {file_, line_, column_}; }
  void finish(uint64_t high) {
    if (!first_) return;
    lines.push_back(volta_line(first_->text, first_->address, first_->word, high, here()));
    first_.reset();
  }

  std::string file_;
  std::optional<ListedLine> first_;
  unsigned line_ = 0;
  unsigned column_ = 0;
};

}  // namespace

std::vector<std::string> volta_kernels(const SourceText& source) {
  std::vector<std::string> names;
  std::istringstream lines(source.text);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = function_in(line);
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

Code read_volta_kernel(const SourceText& source, const std::string& name) {
  KernelReader reader(source.file);
  std::istringstream lines(source.text);
  bool inside = false;
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::string function = function_in(line);
    if (!function.empty()) inside = function == name;
    if (inside) reader.take(line, number);
  }
  reader.check_complete();
  Code code;
  code.name = name;
  code.family = Family::kVolta;
  code.lines = std::move(reader.lines);
  for (const CodeLine& line : code.lines) {
    for (unsigned i = 0; i < line.footprint.read_count; ++i)
      code.registers = std::max(code.registers, line.footprint.reads[i].index + 1u);
  }
  return code;
}

namespace {

class VoltaListing final : public Source {
 public:
  explicit VoltaListing(SourceText source) : source_(std::move(source)) {}

  std::vector<std::string> kernels() const override { return volta_kernels(source_); }
  Family family() const override { return Family::kVolta; }
  Program program(const std::string& /*kernel*/) const override {
    throw InputError({source_.file},
                     "is code of sm_70 or later, which is not executed; expected code of sm_50 to "
                     "sm_62, or --region clock where a region can be timed");
  }
  Code code(const std::string& kernel) const override { return read_volta_kernel(source_, kernel); }

 private:
  const SourceText source_;
};

bool recognises(const SourceText& source) {
  const size_t at = source.text.find(".target\tsm_");
  const size_t arch = source.text.find("arch = sm_");
  if (at == std::string::npos && arch == std::string::npos) return false;
  const char* number =
      source.text.c_str() +
      (at != std::string::npos ? at + 11 : arch + std::string("arch = sm_").size());
  return source.text.find(kFunction) != std::string::npos && std::atoi(number) >= 70;
}

std::unique_ptr<Source> open(const SourceText& source) {
  return std::make_unique<VoltaListing>(source);
}

const bool registered =
    Dialects::add({"volta_listing", "cuobjdump -sass, sm_70 and later: regions between clock reads",
                   recognises, open, 20});

}  // namespace
}  // namespace shflsim::isa
