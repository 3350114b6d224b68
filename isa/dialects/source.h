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

/// How PTX becomes SPA 5.0 code: statement by statement, or optimised as by a compiler.
enum class Lowering : uint8_t { kPlain, kOptimised };

/// A file's text, decompressed if it was gzip.
struct SourceText {
  std::string file;
  SharedText text;
  /// The architecture to take from a file that has code for several: sm_52, compute_52; "": the
  /// newest that can be executed.
  std::string architecture = {};
  Lowering lowering = Lowering::kOptimised;
  /// Why a program cannot be executed; "" if it can. Called for code of several architectures, the
  /// newest first. nullptr: any code that can be decoded is taken.
  std::string (*refusal)(const Program& program) = nullptr;
  /// Why an instruction cannot be executed; lists of kernels print it.
  std::string (*line_refusal)(const Instruction& instruction) = nullptr;
};

/// The kernels of one input file. A kernel is decoded on request, so that a kernel with an unknown
/// word does not keep the others from running.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::vector<std::string> kernels() const = 0;
  /// Throws InputError for code of an architecture that is not known.
  virtual Arch arch() const { return Arch::kSm50; }
  Family family() const { return family_of(arch()); }
  /// The architecture of one kernel's code, if the file may have code of several architectures.
  virtual Arch arch_of(const std::string& /*kernel*/) const { return arch(); }
  /// The kernel's program for execution. Throws InputError with file, line and column if anything
  /// in the kernel cannot be used, and for code of a family that is only timed.
  virtual Program program(const std::string& kernel) const = 0;
  /// The kernel's code for timing and reports.
  Code code(const std::string& kernel) const { return code_of(program(kernel)); }
  /// The variables that all kernels share, in Program::variables or a constant bank; none if the
  /// input does not say.
  virtual std::vector<NamedVariable> variables() const { return {}; }
  /// A program without code that has them all; none if every kernel's program has them.
  virtual std::optional<Program> data() const { return std::nullopt; }
  /// The greatest number of threads of a block, if the code states it (__launch_bounds__);
  /// otherwise 0.
  virtual uint32_t most_threads(const std::string& /*kernel*/) const { return 0; }
  /// PTX: the lines of a kernel after a pass, as text; none if there are no passes. Throws
  /// InputError if no pass has this name.
  virtual std::optional<std::string> lines_after(const std::string& /*pass*/,
                                                 const std::string& /*kernel*/) const {
    return std::nullopt;
  }
  /// The rows of `list kernels`, including kernels that can neither be executed nor timed.
  virtual std::vector<KernelSummary> summaries() const;

 protected:
  /// Summary of one kernel; decodes it to find out whether it can be used.
  virtual KernelSummary summary(const std::string& kernel) const;
};

/// A file format or syntax of code. To add one, write a file that defines and registers a Dialect;
/// the build finds each .cc file by itself.
struct Dialect {
  const char* name;
  const char* help;
  bool (*recognises)(const SourceText& source);
  std::unique_ptr<Source> (*open)(const SourceText& source);
  unsigned order;  ///< the lowest is tried first: formats with a magic number are below 20, and
                   ///< the one that takes any text is 99
  bool has_architecture = false;  ///< uses SourceText::architecture
  bool has_lowering = false;      ///< uses SourceText::lowering
  /// The file's summaries of its kernels without decoding their code; nullptr if the file has to be
  /// opened for that.
  std::vector<KernelSummary> (*list)(const SourceText& source) = nullptr;
};

/// All dialects; each registers itself from its own file:
///   const bool registered = Dialects::add({"cubin", ...});
class Dialects {
 public:
  static bool add(const Dialect& dialect);
  /// The dialects, in the order in which they are tried.
  static const std::vector<Dialect>& all();
  /// The dialect with this name; throws std::logic_error if there is none.
  static const Dialect& named(std::string_view name);
};

/// Reads a file, gzip or plain, and removes the byte order mark of UTF-8. Throws InputError if that
/// fails, and for more than kMostSourceBytes (isa/base/bounded.h) unless it is a plain binary.
SourceText read_source_text(const std::string& path);

/// A file's text without the byte order mark of UTF-8, from UTF-16 too, and without what
/// plain_text() (isa/base/plain_text.h) takes away. Throws InputError for UTF-16 beyond ASCII.
SharedText plain_source(const std::string& path, SharedText text);

/// Which code to take from a file that has code in several forms.
struct CodeChoice {
  std::string architecture = {};                             ///< SourceText::architecture
  std::optional<Lowering> lowering = {};                     ///< SourceText::lowering, only for PTX
  std::string (*refusal)(const Program& program) = nullptr;  ///< SourceText::refusal
  /// SourceText::line_refusal
  std::string (*line_refusal)(const Instruction& instruction) = nullptr;
};
/// Opens a file with the first dialect that recognises it. Throws InputError if its code is not
/// for the chosen architecture, and for a choice that its dialect does not support.
std::unique_ptr<Source> open_source(const std::string& path, const CodeChoice& choice = {});
/// The file's summaries of its kernels, without decoding their code if the dialect supports that
/// (Dialect::list). Throws as open_source does.
std::vector<KernelSummary> listed_kernels(const std::string& path, const CodeChoice& choice = {});

/// `name` itself if a kernel has it; the only kernel if `name` is empty; or the only kernel whose
/// name, mangled or not, contains `name`. Throws InputError, with the nearest names, if there is no
/// such kernel.
std::string choose_kernel(const Source& source, const std::string& name, const std::string& file);
/// The program of the kernel that choose_kernel() returns.
Program find_kernel(const Source& source, const std::string& name, const std::string& file);

}  // namespace shflsim::isa
