// SPDX-License-Identifier: Apache-2.0
// The manual's syntax: one instruction per line, symbolic registers (Rx), `__` for no predicate,
// labels (`name:`), // comments, an optional `;` and an optional trailer of control annotations.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>

#include "isa/base/faults.h"
#include "isa/codec/codec.h"
#include "isa/codec/trailer.h"
#include "isa/dialects/foreign_text.h"
#include "isa/dialects/manual_checks.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls `visit` with every name in `text`.
template <class Visit>
void for_each_name(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (i == 0 || (text[i - 1] != '.' && text[i - 1] != '?' && text[i - 1] != '&'))
      visit(text.substr(i, end - i));
    i = end;
  }
}

bool is_numbered_register(std::string_view name) {
  if (name.size() < 2 || name[0] != 'R') return false;
  return name.substr(1).find_first_not_of("0123456789") == std::string_view::npos;
}

/// Rx, Ry, Rsum: R and a lower-case letter, so that no mnemonic or special register is one.
bool is_symbolic_register(std::string_view name) {
  return name.size() >= 2 && name[0] == 'R' &&
         std::islower(static_cast<unsigned char>(name[1])) != 0;
}

class ManualReader {
 public:
  explicit ManualReader(const SourceText& source) : source_(source) {}

  Program read() {
    split_lines();
    if (lines_.empty() && !faults_.any())
      throw InputError({source_.file, 1}, "no instruction in it; expected SPA 5.0 code");
    if (!faults_.hold([this] { name_registers(); })) faults_.raise();
    for (const ManualLine& line : lines_) faults_.hold([&] { append(line); });
    faults_.raise();
    if (runs_off_the_end()) append_exit();
    program_.unwritten_reads = unwritten_reads(program_, lines_);
    program_.warnings = lost_waits(program_, lines_);
    program_.registers = program_.registers_used();
    program_.has_control = any_trailer_;
    return std::move(program_);
  }

 private:
  void split_lines() {
    size_t at = 0;
    unsigned number = 0;
    while (at < source_.text.size()) {
      const size_t end = std::min(source_.text.find('\n', at), source_.text.size());
      add_line(std::string_view(source_.text).substr(at, end - at), ++number);
      at = end + 1;
    }
  }

  void add_line(std::string_view line, unsigned number) {
    line = line.substr(0, line.find("//"));
    size_t start = first_letter(line, 0);
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      const Position where = {source_.file, number, static_cast<unsigned>(start + 1)};
      const auto label = line.substr(start, colon - start);
      knows_labels_ = faults_.hold([&] { add_label(label, where); }) && knows_labels_;
      if (labels_.count(std::string(label)) == 0) return;
      start = first_letter(line, colon + 1);
    }
    if (start >= line.size()) return;
    size_t end = line.size();
    while (end > start && std::isspace(static_cast<unsigned char>(line[end - 1])) != 0) --end;
    lines_.push_back({std::string(line.substr(start, end - start)),
                      {source_.file, number, static_cast<unsigned>(start + 1)}});
  }

  static size_t first_letter(std::string_view line, size_t from) {
    while (from < line.size() && std::isspace(static_cast<unsigned char>(line[from])) != 0) ++from;
    return from;
  }

  void add_label(std::string_view label, const Position& where) {
    for (const char c : label) {
      if (!is_word(c) && c != '.')
        throw InputError(where, "'" + std::string(label) +
                                    "' is no label; expected letters, digits, '_' and '.'");
    }
    if (!labels_.emplace(std::string(label), target_address(lines_.size())).second) {
      throw InputError(where,
                       "label '" + std::string(label) + "' stands twice; expected a new name");
    }
  }

  /// Symbolic registers get the lowest numbers that the text does not name, in order of first use.
  void name_registers() {
    std::set<int> taken;
    for (const ManualLine& line : lines_) {
      for_each_name(line.text, [&taken](std::string_view name) {
        if (is_numbered_register(name) && name.size() <= 4)
          taken.insert(std::atoi(std::string(name.substr(1)).c_str()));
      });
    }
    int next = 0;
    for (const ManualLine& line : lines_) {
      for_each_name(line.text, [&](std::string_view name) {
        if (!is_symbolic_register(name) || program_.symbols.count(std::string(name)) != 0) return;
        while (taken.count(next) != 0) ++next;
        if (next > 254)
          throw InputError({source_.file, line.where.line},
                           "more registers than there are; expected at most 255");
        program_.symbols[std::string(name)] = static_cast<uint8_t>(next++);
      });
    }
  }

  Names names() const {
    Names names;
    names.register_named = [this](std::string_view name) {
      const auto symbol = program_.symbols.find(std::string(name));
      return symbol == program_.symbols.end() ? -1 : symbol->second;
    };
    names.label_named = [this](std::string_view name) {
      const auto label = labels_.find(std::string(name));
      if (label != labels_.end()) return int64_t{label->second};
      return knows_labels_ ? int64_t{-1} : int64_t{0};
    };
    names.known = [this] {
      std::vector<std::string> known;
      for (const auto& [name, index] : program_.symbols) known.push_back(name);
      for (const auto& [name, address] : labels_) known.push_back(name);
      return known;
    };
    return names;
  }

  void append(const ManualLine& line) {
    const size_t trailer = line.text.find_first_of("&?");
    const std::string text = line.text.substr(0, trailer);
    try {
      Control control = default_control();
      if (trailer != std::string::npos) {
        any_trailer_ = true;
        control = read_trailer_at(line.text, trailer);
      }
      add(text, control);
    } catch (const SyntaxError& error) {
      throw InputError(line.at(error.column - 1), error.what);
    }
  }

  static Control read_trailer_at(const std::string& text, size_t trailer) {
    try {
      return read_trailer(std::string_view(text).substr(trailer));
    } catch (SyntaxError& error) {
      error.column += static_cast<unsigned>(trailer);
      throw;
    }
  }

  static Control default_control() {
    Control control;
    control.issue_code = 17;  // next cycle, stay on this warp
    return control;
  }

  void add(const std::string& text, Control control) {
    const uint32_t address = address_of(program_.code.size());
    const Encoded encoded = encode(text, address, names());
    control.reuse = encoded.reuse;
    Instruction instruction;
    const std::string problem = decode(encoded.word.low, address, control, &instruction);
    if (!problem.empty()) throw SyntaxError{problem, 1};
    program_.texts.push_back(text_of(instruction));
    program_.code.push_back(instruction);
  }

  /// True if threads can reach the end of the code. NOPs after a jump only fill the last bundle.
  bool runs_off_the_end() const {
    const auto last = std::find_if(program_.code.rbegin(), program_.code.rend(),
                                   [](const Instruction& each) { return each.op != Op::kNOP; });
    if (last == program_.code.rend() || last->has_guard() || (*last)[Mod::k_cct] != 15) return true;
    const Op ends[] = {Op::kEXIT, Op::kBRA, Op::kJMP, Op::kRET, Op::kBRX, Op::kJMX};
    return std::find(std::begin(ends), std::end(ends), last->op) == std::end(ends);
  }

  /// The manual's examples end without EXIT, but a program needs one.
  void append_exit() { add("EXIT", default_control()); }

  const SourceText& source_;
  std::vector<ManualLine> lines_;
  std::map<std::string, uint32_t> labels_;
  bool knows_labels_ = true;  ///< false if a label could not be read: then any name may be a label
  Faults faults_;
  Program program_;
  bool any_trailer_ = false;
};

class ManualSource final : public Source {
 public:
  explicit ManualSource(const SourceText& source) : program_(ManualReader(source).read()) {
    const size_t slash = source.file.rfind('/');
    program_.name = source.file.substr(slash == std::string::npos ? 0 : slash + 1);
    program_.name = program_.name.substr(0, program_.name.find('.'));
  }
  std::vector<std::string> kernels() const override { return {program_.name}; }
  Program program(const std::string& /*kernel*/) const override { return program_; }

 private:
  Program program_;
};

/// True for any text that is not binary.
bool is_manual(const SourceText& source) {
  return source.text.find_first_of(std::string("\0\177", 2)) == std::string::npos;
}

bool is_cuda(const SourceText& source) {
  const size_t dot = source.file.rfind('.');
  return (dot != std::string::npos && source.file.substr(dot) == ".cu") ||
         source.text.find("__global__") != std::string::npos;
}

std::unique_ptr<Source> open_manual(const SourceText& source) {
  if (is_cuda(source))
    throw InputError({source.file},
                     "is CUDA source; expected what is compiled from it (nvcc -ptx)");
  return guessing(source, Arch::kSm50,
                  [&source] { return std::make_unique<ManualSource>(source); });
}

const bool manual_registered = Dialects::add(
    {"manual", "the manual's syntax, one instruction a line", is_manual, open_manual, 99});

}  // namespace
}  // namespace shflsim::isa
