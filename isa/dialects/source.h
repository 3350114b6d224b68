// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/device_variables.h"
#include "isa/base/shared_text.h"
#include "isa/code/code.h"
#include "isa/dialects/kernel_summary.h"

namespace shflsim::isa {

/// How PTX becomes SPA 5.0 code: word by word, or as a compiler would write it.
enum class Lowering : uint8_t { kPlain, kOptimised };

/// A file's text, decompressed where it was gzip.
struct SourceText {
  std::string file;
  SharedText text;
  /// Of what holds code for several architectures, the only one to take: sm_52, compute_52; "":
  /// the newest that can be executed.
  std::string architecture = {};
  Lowering lowering = Lowering::kOptimised;
  /// What keeps a program from being executed; "" where nothing does. Asked of code for several
  /// architectures, the newest first; without it any that can be decoded will do.
  std::string (*refusal)(const Program& program) = nullptr;
  /// What keeps an instruction from being executed; lists of kernels print it.
  std::string (*line_refusal)(const Instruction& instruction) = nullptr;
};

/// Kernels that one input file holds. A kernel is decoded when it is asked for, so that one with an
/// unknown word does not keep the others from running.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::vector<std::string> kernels() const = 0;
  /// Throws InputError for code of an architecture that is not known.
  virtual Arch arch() const { return Arch::kSm50; }
  Family family() const { return family_of(arch()); }
  /// The architecture of one kernel's code, where the file may have code of several.
  virtual Arch arch_of(const std::string& /*kernel*/) const { return arch(); }
  /// What can be executed. Throws InputError with file, line and column for anything in the kernel
  /// that cannot be used, and for code of a family that is only timed.
  virtual Program program(const std::string& kernel) const = 0;
  /// What can be timed and reported.
  Code code(const std::string& kernel) const { return code_of(program(kernel)); }
  /// The variables that all kernels share, in Program::variables or a constant bank; none if the
  /// input does not say.
  virtual std::vector<NamedVariable> variables() const { return {}; }
  /// Threads that a block of the kernel may have, where the code says that (__launch_bounds__); 0
  /// where it does not.
  virtual uint32_t most_threads(const std::string& /*kernel*/) const { return 0; }
  /// PTX: the lines of a kernel after that pass, as text; none if there are no passes. Throws
  /// InputError for the name of none.
  virtual std::optional<std::string> lines_after(const std::string& /*pass*/,
                                                 const std::string& /*kernel*/) const {
    return std::nullopt;
  }
  /// What `list kernels` says of each kernel, of those too that can neither be executed nor timed.
  virtual std::vector<KernelSummary> summaries() const;

 protected:
  /// Summary of one kernel, by what can be done with it.
  virtual KernelSummary summary(const std::string& kernel) const;
};

/// A way of writing code down. To add one, write a file that defines and registers a Dialect, and
/// list the file in CMakeLists.txt.
struct Dialect {
  const char* name;
  const char* help;
  bool (*recognises)(const SourceText& source);
  std::unique_ptr<Source> (*open)(const SourceText& source);
  unsigned order;  ///< the lowest is tried first: what is told by a magic number below 20, what
                   ///< takes any text at 99
  bool has_architecture = false;  ///< looks at SourceText::architecture
  bool has_lowering = false;      ///< looks at SourceText::lowering
  /// What the file says of its kernels, without a look at their code; null where only opening it
  /// tells.
  std::vector<KernelSummary> (*list)(const SourceText& source) = nullptr;
};

/// The dialects there are; each registers itself from its own file:
///   const bool registered = Dialects::add({"cubin", ...});
class Dialects {
 public:
  static bool add(const Dialect& dialect);
  /// In the order in which they are tried.
  static const std::vector<Dialect>& all();
  /// The one with this name; std::logic_error if there is none.
  static const Dialect& named(std::string_view name);
};

/// Reads a file, gzip or plain, without the byte order mark of UTF-8. Throws InputError if that
/// fails, and for more than kMostSourceBytes (isa/base/bounded.h) of what is no plain binary.
SourceText read_source_text(const std::string& path);

/// What to take of a file that has code in several forms.
struct CodeChoice {
  std::string architecture = {};                             ///< SourceText::architecture
  std::optional<Lowering> lowering = {};                     ///< SourceText::lowering, of PTX alone
  std::string (*refusal)(const Program& program) = nullptr;  ///< SourceText::refusal
  /// SourceText::line_refusal
  std::string (*line_refusal)(const Instruction& instruction) = nullptr;
};
/// Opens a file with the first dialect that recognises it. Throws InputError if its code is not
/// for the architecture, and for a choice that its dialect does not have.
std::unique_ptr<Source> open_source(const std::string& path, const CodeChoice& choice = {});
/// What the file says of each kernel, without a look at their code where its dialect can do without
/// (Dialect::list). Throws as open_source does.
std::vector<KernelSummary> listed_kernels(const std::string& path, const CodeChoice& choice = {});

/// The name itself, or that of the only kernel there is where `name` is empty, or that of the only
/// kernel whose name, mangled or not, has `name` in it. Throws InputError, with the nearest names,
/// if there is no such kernel.
std::string choose_kernel(const Source& source, const std::string& name, const std::string& file);
/// The program of the kernel chosen so.
Program find_kernel(const Source& source, const std::string& name, const std::string& file);

}  // namespace shflsim::isa
