// SPDX-License-Identifier: Apache-2.0
// Recognizes texts of other languages by what only these contain, and names the likely language.
#include "isa/dialects/foreign_text.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "isa/assembly/text_lines.h"
#include "isa/base/text_cursor.h"
#include "isa/codec/codec.h"
#include "isa/dialects/control_text.h"

namespace shflsim::isa {
namespace {

/// Number of the first line that begins with one of the marks; 0 for none.
template <class Marks>
unsigned line_with(const SourceText& source, const Marks& marks) {
  unsigned found = 0;
  for_each_line(source.text, [&](std::string_view line, unsigned number) {
    for (const std::string_view mark : marks) {
      if (found == 0 && starts_with(trimmed(line), mark)) found = number;
    }
  });
  return found;
}

constexpr std::string_view kTuringasMarks[] = {"<params>", "<regs>", "<code>"};

bool is_turingas(const SourceText& source) { return line_with(source, kTuringasMarks) != 0; }

std::unique_ptr<Source> refuse_turingas(const SourceText& source) {
  throw InputError({source.file, line_with(source, kTuringasMarks)},
                   "is a text for turingas; expected the cubin that 'python -m turingas.main' "
                   "makes of it");
}

const bool turingas_registered = Dialects::add(
    {"turingas", "turingas' text: refused, its cubin is read", is_turingas, refuse_turingas, 49});

/// True for a line such as "/*0010*/   EXIT ;".
bool has_address(std::string_view line) {
  line = trimmed(line);
  if (!starts_with(line, "/*")) return false;
  const size_t digits = line.find_first_not_of("0123456789abcdef", 2);
  return digits != std::string_view::npos && digits >= 6 && starts_with(line.substr(digits), "*/");
}

/// ".section  .text.k", with any white space between.
bool begins_code(std::string_view line) {
  constexpr std::string_view kSection = ".section";
  line = trimmed(line);
  return starts_with(line, kSection) &&
         starts_with(trimmed(line.substr(kSection.size())), ".text.");
}

/// What a disassembler prints around the code of a kernel, and instructions with addresses alone;
/// or a text that begins with such an instruction.
bool is_wordless(const SourceText& source) {
  const auto has = [&source](const char* text) {
    return source.text.find(text) != std::string::npos;
  };
  if (has("/* 0x")) return false;
  const std::string_view first = trimmed(source.text);
  bool has_frame = has("Function :") || has("code for sm_") || has(".elftype") ||
                   has_address(first.substr(0, first.find('\n')));
  for_each_line(source.text, [&has_frame](std::string_view line, unsigned) {
    has_frame = has_frame || begins_code(line);
  });
  if (!has_frame) return false;
  bool found = false;
  for_each_line(source.text,
                [&found](std::string_view line, unsigned) { found = found || has_address(line); });
  return found;
}

std::unique_ptr<Source> refuse_wordless(const SourceText& source) {
  throw InputError({source.file}, std::string("is a listing without words; ") + kExpectedWords);
}

const bool wordless_registered =
    Dialects::add({"wordless", "a listing without words: refused, they are needed", is_wordless,
                   refuse_wordless, 55});

/// Instructions with words, as from the middle of a listing: nothing says the kernel's name, or
/// nothing says the architecture and the words are no bundles of SPA 5.0, whose first instruction
/// is at 0008.
bool is_headless(const SourceText& source) {
  std::string_view first;
  bool has_kernel = false;
  for_each_line(source.text, [&](std::string_view line, unsigned) {
    const bool is_listed = has_address(line) && line.find("/* 0x") != std::string_view::npos;
    if (first.empty() && is_listed) first = trimmed(line);
    has_kernel = has_kernel || starts_with(trimmed(line), "Function :") || begins_code(line);
  });
  if (first.empty()) return false;
  const auto says = [&source](const char* text) {
    return source.text.find(text) != std::string::npos;
  };
  const bool has_arch =
      says(".target") || says("code for sm_") || says("arch = sm_") || says("EF_CUDA_SM");
  const bool is_bundle = starts_with(first, "/*0008*/") || starts_with(first, "/*00000008*/");
  return !has_kernel || (!has_arch && !is_bundle);
}

std::unique_ptr<Source> refuse_headless(const SourceText& source) {
  throw InputError({source.file},
                   "is a piece of a listing; expected also the lines in front of it that name the "
                   "architecture and the kernel: 'code for sm_90' and 'Function : k'");
}

const bool headless_registered =
    Dialects::add({"headless", "a piece of a listing without its head: refused", is_headless,
                   refuse_headless, 25});

/// A listing of nvdisasm, or a part of one, with sections of data alone.
bool has_data_alone(const SourceText& source) {
  bool is_listing = false;
  bool has_code = false;
  for_each_line(source.text, [&](std::string_view line, unsigned) {
    const std::string_view text = trimmed(line);
    is_listing = is_listing || starts_with(text, ".elftype") || starts_with(text, ".headerflags");
    has_code = has_code || starts_with(text, "Function :") || begins_code(line);
  });
  return is_listing && !has_code;
}

std::unique_ptr<Source> refuse_data(const SourceText& source) {
  throw InputError({source.file},
                   "is a listing of data without code; expected one with a section .text.KERNEL");
}

const bool data_registered =
    Dialects::add({"data", "a listing of data alone: refused", has_data_alone, refuse_data, 24});

/// The source view of Nsight Compute, copied or as CSV: a number, an address and a text.
bool is_source_view(const SourceText& source) {
  const std::string_view head = trimmed(source.text.substr(0, source.text.find('\n')));
  const bool is_table = starts_with(head, "#\t") || starts_with(head, "#,") ||
                        starts_with(head, "\"#\",") || starts_with(head, "# ");
  return is_table && head.find("Address") != std::string_view::npos &&
         head.find("Source") != std::string_view::npos;
}

std::unique_ptr<Source> refuse_source_view(const SourceText& source) {
  throw InputError({source.file}, std::string("is a source view of Nsight Compute, which has no "
                                              "words of instructions; ") +
                                      kExpectedWords);
}

const bool source_view_registered =
    Dialects::add({"source_view", "Nsight Compute's source view: refused, it has no words",
                   is_source_view, refuse_source_view, 48});

/// What NVIDIA's tools print of code beside listings, by how it begins.
struct Report {
  std::string_view beginning;
  const char* what;
};
constexpr Report kReports[] = {
    {"digraph ", "a graph of nvdisasm -cfg"},
    {"[{\"ELF\"", "JSON of nvdisasm -json"},
    {"ELF file ", "a list of cuobjdump -lelf"},
    {"PTX file ", "a list of cuobjdump -lptx"},
    {"64-bit ELF:", "a dump of cuobjdump -elf"},
    {"Resource usage:", "a report of cuobjdump -res-usage"},
    {"ptxas info", "a report of ptxas -v"},
    {"------------- NVBit", "a report of an NVBit tool"},
    {"MEMTRACE: ", "a report of NVBit's mem_trace"},
    {"inspecting ", "a report of an NVBit tool"},
    {"==PROF== ", "a report of Nsight Compute"},
    {"==WARNING== ", "a report of Nsight Compute"},
    {"==NVPROF== ", "a report of nvprof"},
    {"========= ", "a report of compute-sanitizer"},
    {"Dump of assembler code for function ", "a disassembly of cuda-gdb"},
};

/// "0x00007fffd8fa0010 <+16>:", in front of which cuda-gdb marks the current line.
bool is_line_of_gdb(std::string_view line) {
  if (starts_with(line, "=> ")) line = trimmed(line.substr(3));
  return starts_with(line, "0x") && line.find('<') < line.find(">:") &&
         line.find(">:") != std::string_view::npos;
}

const Report* report_of(const SourceText& source) {
  static constexpr Report kOfGdb = {"", "a disassembly of cuda-gdb"};
  const std::string_view text = trimmed(source.text);
  if (is_line_of_gdb(text.substr(0, text.find('\n')))) return &kOfGdb;
  const auto* const found =
      std::find_if(std::begin(kReports), std::end(kReports),
                   [text](const Report& each) { return starts_with(text, each.beginning); });
  return found == std::end(kReports) ? nullptr : found;
}

bool is_report(const SourceText& source) { return report_of(source) != nullptr; }

std::unique_ptr<Source> refuse_report(const SourceText& source) {
  throw InputError({source.file}, std::string("is ") + report_of(source)->what +
                                      ", which has no code to execute; expected the cubin, or a "
                                      "listing with words (cuobjdump -sass, nvdisasm -hex)");
}

const bool report_registered = Dialects::add(
    {"report", "what NVIDIA's tools print beside code: refused", is_report, refuse_report, 47});

/// What a fault is about: its first words, up to what the text itself has.
std::string_view kind_of(std::string_view what) {
  return what.substr(0, what.find_first_of("';\"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
}

bool is_of_label(const Fault& fault) { return fault.what.find("is no label") != std::string::npos; }

/// The instruction of a line without control, address and line number.
std::string_view bare_instruction(std::string_view line) {
  line = trimmed(line.substr(0, line.find("//")));
  if (take_cuasm_control(&line)) line = trimmed(line);
  if (starts_with(line, "/*"))
    line = trimmed(line.substr(std::min(line.find("*/"), line.size() - 2) + 2));
  while (!line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0)
    line = trimmed(line.substr(std::min(line.find_first_of(" \t"), line.size())));
  if (starts_with(line, "{")) line = trimmed(line.substr(1));
  return line;
}

/// True if the text is an instruction of the architecture.
bool is_instruction(Arch arch, std::string_view text) {
  Names names;
  names.label_named = [](std::string_view) { return int64_t{0}; };
  try {
    encode(arch, text, 0, names);
    return true;
  } catch (const SyntaxError&) {
    return false;
  }
}

/// A later architecture that has both instructions.
std::optional<Arch> later_arch(std::string_view first, std::string_view second) {
  for (const unsigned number : {75u, 80u, 86u, 90u, 100u, 120u, 70u}) {
    const std::optional<Arch> arch = arch_numbered(number);
    if (is_instruction(*arch, first) && is_instruction(*arch, second)) return arch;
  }
  return std::nullopt;
}

/// The language of a line, recognized by its first characters; "" if unknown.
std::string language_of(std::string_view line) {
  struct Beginning {
    std::string_view text;
    const char* language;
  };
  static constexpr Beginning kBeginnings[] = {{"v_", "code of an AMD GPU"},
                                              {"s_", "code of an AMD GPU"},
                                              {".amdgcn_target", "code of an AMD GPU"},
                                              {"; ModuleID", "LLVM IR"},
                                              {"source_filename", "LLVM IR"},
                                              {"define ", "LLVM IR"},
                                              {"target ", "LLVM IR"},
                                              {"module ", "MLIR"},
                                              {"func.func", "MLIR"},
                                              {"#include", "a source file"},
                                              {"import ", "a source file"},
                                              {".reg ", "PTX without .version"}};
  for (const Beginning& each : kBeginnings) {
    if (starts_with(line, each.text)) return each.language;
  }
  return "";
}

/// A line that is neither empty nor a comment, a directive or a label.
bool is_code(std::string_view line) {
  line = trimmed(line);
  const bool is_remark = line.empty() || line.front() == '#' || line.front() == '.' ||
                         starts_with(line, "//") || line.back() == ':';
  return !is_remark;
}

/// True if the first two lines of code have something in front of a ':' that is no label: a table
/// or a text of another kind.
bool begins_with_no_labels(const InputError& error, const SourceText& source) {
  std::vector<unsigned> first;
  for_each_line(source.text, [&first](std::string_view line, unsigned number) {
    if (first.size() < 2 && is_code(line)) first.push_back(number);
  });
  const std::vector<Fault>& faults = error.faults();
  if (first.size() < 2 || faults.size() < 2) return false;
  return faults[0].where.line == first[0] && faults[1].where.line == first[1] &&
         is_of_label(faults[0]) && is_of_label(faults[1]);
}

constexpr const char* kNoCode =
    "no code of an NVIDIA GPU; expected what 'shflsim list inputs' shows";

class Guess {
 public:
  Guess(const InputError& error, const SourceText& source, Arch arch) : arch_(arch) {
    for (const Fault& fault : error.faults()) {
      if (faults_.size() < 2 && !is_of_label(fault)) faults_.push_back(fault);
    }
    if (faults_.empty()) return;
    is_alone_ = faults_.size() == 1;
    if (is_alone_) faults_.push_back(faults_.front());
    for_each_line(source.text, [this](std::string_view line, unsigned number) {
      for (size_t i = 0; i < 2; ++i) {
        if (number == faults_[i].where.line) lines_[i] = trimmed(line);
      }
      const bool is_between = number > faults_[0].where.line && number < faults_[1].where.line;
      if (number < faults_[0].where.line) before_ += is_code(line);
      if (is_between) between_ += is_code(line);
    });
  }

  /// What the text may be; empty if it may as well be code of the architecture.
  std::string language() const {
    if (faults_.empty() || lines_[0].empty()) return "";
    const std::string_view first = bare_instruction(lines_[0]),
                           second = bare_instruction(lines_[1]);
    std::string_view control = lines_[0];
    const bool has_control = take_cuasm_control(&control).has_value();
    const bool has_number = std::isdigit(static_cast<unsigned char>(lines_[0].front())) != 0 &&
                            !take_maxas_control(&control);
    const std::optional<Arch> arch = later_arch(first, second);
    const bool is_other = has_number || (is_of_language(0, first) && is_of_language(1, second));
    const bool is_later = arch && is_other && (!is_alone_ || has_control || is_unknown(faults_[0]));
    if (is_later && has_control)
      return "code of " + name_of(*arch) + "; expected .headerflags or .__elf_flags that say so";
    if (is_later)
      return std::string("a listing of sm_70 or later without words; ") + kExpectedWords;
    const bool is_in_a_row = before_ <= 2 && between_ == 0 && !is_alone_ &&
                             faults_[0].where.line != faults_[1].where.line &&
                             kind_of(faults_[0].what) == kind_of(faults_[1].what);
    if (!is_in_a_row) return "";
    const bool is_numbered =
        has_number && is_instruction(Arch::kSm50, first) && is_instruction(Arch::kSm50, second);
    if (is_numbered) return std::string("a listing without words; ") + kExpectedWords;
    const std::string language = language_of(lines_[0]);
    if (!language.empty()) return language + "; expected code of an NVIDIA GPU";
    return is_strange() ? kNoCode : "";
  }

  const Fault& first() const { return faults_.front(); }

 private:
  static bool is_unknown(const Fault& fault) { return starts_with(fault.what, "unknown opcode"); }

  /// True if the fault is one of the language, not a missing label or a number out of range.
  bool is_of_language(size_t i, std::string_view instruction) const {
    const std::string& what = faults_[i].what;
    const bool is_of_value = what.find("that fits") != std::string::npos ||
                             what.find("an immediate from") != std::string::npos ||
                             what.find("a multiple of") != std::string::npos;
    return !is_of_value && !is_instruction(arch_, instruction);
  }

  /// True if the text begins with an unknown opcode that is not similar to a known one.
  bool is_strange() const {
    const std::string& what = faults_.front().what;
    return before_ == 0 && is_unknown(faults_.front()) &&
           what.find("did you mean") == std::string::npos;
  }

  Arch arch_;                  ///< the architecture that the text was read for
  bool is_alone_ = false;      ///< there is only one fault
  std::vector<Fault> faults_;  ///< first two without those of labels; a single one twice
  std::string_view lines_[2];
  unsigned before_ = 0;   ///< lines of code before the first
  unsigned between_ = 0;  ///< and between the two
};

}  // namespace

void throw_guess(const InputError& error, const SourceText& source, Arch arch) {
  if (begins_with_no_labels(error, source)) {
    const Fault& first = error.faults().front();
    throw InputError(first.where,
                     first.what.substr(0, first.what.find(';')) + "; this may be " + kNoCode);
  }
  const Guess guess(error, source, arch);
  const std::string language = guess.language();
  if (language.empty()) throw error;
  const std::string& what = guess.first().what;
  throw InputError(guess.first().where,
                   what.substr(0, what.find(';')) + "; this may be " + language);
}

}  // namespace shflsim::isa
