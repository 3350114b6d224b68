// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/source.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "isa/base/bounded.h"
#include "isa/base/demangled.h"
#include "isa/base/plain_text.h"
#include "isa/base/readable.h"
#include "isa/base/text_cursor.h"
#include "isa/dialects/fatbin_entries.h"

namespace shflsim::isa {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors write it before UTF-8

constexpr std::string_view kUtf16Mark =
    "\xFF\xFE";  // PowerShell writes it when output is redirected
constexpr std::string_view kUtf16BigMark = "\xFE\xFF";

constexpr std::string_view kGzip = "\x1F\x8B";

std::vector<Dialect>& table() {
  static std::vector<Dialect> dialects;
  return dialects;
}

/// True for a program, a library or a fat binary, which are read in parts.
bool is_binary(std::string_view text) {
  constexpr std::string_view kArchive = "!<arch>\n";
  return starts_with(text, "\177ELF") || starts_with(text, kArchive) ||
         starts_with(text, kFatbinMagic);
}

[[noreturn]] void fail_as_too_large(const std::string& path) {
  throw InputError({path}, "is too large; expected code of " + std::to_string(kMostSourceBytes) +
                               " bytes at most, unpacked");
}

/// Reads a compressed file or a stream. gzread passes plain files through, so one call serves
/// both.
std::string unzipped(const std::string& path, const std::string& name) {
  gzFile file = gzopen(name.c_str(), "rb");
  if (file == nullptr) throw InputError({path}, std::string(std::strerror(errno)));
  std::string text;
  char buffer[65536];
  int got = 0;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0) {
    const auto size = static_cast<size_t>(got);
    if (!fits(text.size(), size, kMostSourceBytes)) break;
    text.append(buffer, size);
  }
  const bool complete = gzclose(file) == Z_OK && got == 0;
  if (got > 0) fail_as_too_large(path);
  if (!complete) throw InputError({path}, "cannot be read to its end; expected text or gzip");
  return text;
}

/// A text in UTF-16, without its mark, as ASCII. Of each letter's two bytes the high one is 0.
std::string narrowed(const std::string& path, std::string_view text) {
  const size_t high = starts_with(text, kUtf16Mark) ? 1 : 0;
  std::string narrow;
  for (size_t i = kUtf16Mark.size(); i + 1 < text.size(); i += 2) {
    if (text[i + high] != '\0') throw InputError({path}, "has UTF-16 beyond ASCII; expected UTF-8");
    narrow += text[i + 1 - high];
  }
  return narrow;
}

}  // namespace

std::vector<KernelSummary> Source::summaries() const {
  std::vector<KernelSummary> all;
  for (const std::string& kernel : kernels()) all.push_back(summary(kernel));
  return all;
}

KernelSummary Source::summary(const std::string& kernel) const {
  KernelSummary summary;
  summary.kernel = kernel;
  try {
    const Code code = code_of(program(kernel));
    summary.instructions = code.lines.size();
    summary.registers = code.registers;
    summary.shared_bytes = code.shared_bytes;
    summary.local_bytes = code.local_bytes;
    summary.use = "executed";
  } catch (const InputError& error) {
    summary.use = "listed";
    summary.faults = error.faults();
  }
  return summary;
}

bool Dialects::add(const Dialect& dialect) {
  const auto behind = std::find_if(table().begin(), table().end(), [&](const Dialect& other) {
    return other.order > dialect.order;
  });
  table().insert(behind, dialect);
  return true;
}

const std::vector<Dialect>& Dialects::all() { return table(); }

const Dialect& Dialects::named(std::string_view name) {
  const auto found = std::find_if(table().begin(), table().end(),
                                  [name](const Dialect& each) { return each.name == name; });
  if (found == table().end()) throw std::logic_error("no dialect " + std::string(name));
  return *found;
}

SourceText read_source_text(const std::string& path) {
  const std::string name = readable(path);
  std::error_code unknown;  // ignored: opening the file fails too, and its error says why
  if (std::filesystem::is_directory(name, unknown)) {
    throw InputError({path}, "is a folder; expected a file");
  }
  SourceText source{path, SharedText::of_file(name)};
  if (source.text.empty() || starts_with(source.text, kGzip)) source.text = unzipped(path, name);
  if (source.text.size() > kMostSourceBytes && !is_binary(source.text)) fail_as_too_large(path);
  if (!is_binary(source.text)) source.text = plain_source(path, std::move(source.text));
  return source;
}

SharedText plain_source(const std::string& path, SharedText text) {
  if (starts_with(text, kUtf16Mark) || starts_with(text, kUtf16BigMark))
    text = narrowed(path, text);
  if (starts_with(text, kByteOrderMark)) text = text.part(kByteOrderMark.size());
  if (std::optional<std::string> plain = plain_text(text)) text = *std::move(plain);
  return text;
}

namespace {

/// The text of a file with the user's choice, and the dialect that recognises it.
std::pair<SourceText, const Dialect&> recognised(const std::string& path,
                                                 const CodeChoice& choice) {
  SourceText source = read_source_text(path);
  source.architecture = choice.architecture;
  source.lowering = choice.lowering.value_or(source.lowering);
  source.refusal = choice.refusal;
  source.line_refusal = choice.line_refusal;
  for (const Dialect& dialect : Dialects::all()) {
    if (!dialect.recognises(source)) continue;
    if (!source.architecture.empty() && !dialect.has_architecture)
      throw InputError({path}, "is no binary, of which --arch " + source.architecture +
                                   " could take a part; expected a cubin or a fat binary");
    if (choice.lowering && !dialect.has_lowering)
      throw InputError({path}, "is not lowered here; expected PTX with --lowering");
    return {std::move(source), dialect};
  }
  throw InputError(
      {path},
      "is in no format that can be read; expected a cubin, a listing, PTX or the manual's syntax");
}

}  // namespace

std::unique_ptr<Source> open_source(const std::string& path, const CodeChoice& choice) {
  const auto& [source, dialect] = recognised(path, choice);
  return dialect.open(source);
}

std::vector<KernelSummary> listed_kernels(const std::string& path, const CodeChoice& choice) {
  const auto& [source, dialect] = recognised(path, choice);
  std::vector<KernelSummary> all;
  if (dialect.list != nullptr) all = dialect.list(source);
  return all.empty() ? dialect.open(source)->summaries() : all;
}

namespace {

/// The kernels that `name` may mean: those with this name, else those whose names contain it.
std::vector<std::string> meant_kernels(const std::string& name,
                                       const std::vector<std::string>& kernels) {
  std::vector<std::string> called;
  std::vector<std::string> with;
  for (const std::string& kernel : kernels) {
    const std::string readable_name = demangled(kernel);
    if (name == readable_name || name == function_name(readable_name)) called.push_back(kernel);
    if (kernel.find(name) != std::string::npos || readable_name.find(name) != std::string::npos)
      with.push_back(kernel);
  }
  return called.empty() ? with : called;
}

/// "a, b, c", or the first names and the number of further ones.
std::string some_of(const std::vector<std::string>& kernels) {
  constexpr size_t kMost = 8;
  std::string text;
  for (size_t i = 0; i < kernels.size() && i < kMost; ++i)
    text += (i == 0 ? "" : ", ") + kernels[i];
  if (kernels.size() > kMost)
    text += " and " + std::to_string(kernels.size() - kMost) + " more (shflsim list kernels)";
  return text;
}

/// The kernel whose name, mangled or not, is nearest.
std::string kernel_suggestion(const std::string& name, const std::vector<std::string>& kernels) {
  std::vector<std::string> plain;
  for (const std::string& kernel : kernels) plain.push_back(function_name(demangled(kernel)));
  for (const std::vector<std::string>* known : {&kernels, &std::as_const(plain)}) {
    const std::string nearest = nearest_name(name, *known);
    if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
  }
  return kernels.empty() ? "; there is none" : "; known: " + some_of(kernels);
}

}  // namespace

std::string choose_kernel(const Source& source, const std::string& name, const std::string& file) {
  const std::vector<std::string> kernels = source.kernels();
  if (name.empty() && kernels.size() == 1) return kernels.front();
  if (kernels.empty() && name.empty())
    throw InputError({file}, "holds no kernel; expected one at least");
  if (name.empty()) {
    throw InputError(
        {file}, "holds " + std::to_string(kernels.size()) + " kernels; choose one with --kernel; " +
                    (kernels.empty() ? "there is none" : "known: " + some_of(kernels)));
  }
  if (std::find(kernels.begin(), kernels.end(), name) != kernels.end()) return name;
  const std::vector<std::string> meant = meant_kernels(name, kernels);
  if (meant.size() == 1) return meant.front();
  if (meant.empty())
    throw InputError({file}, "no kernel '" + name + "'" + kernel_suggestion(name, kernels));
  throw InputError({file}, "'" + name + "' is in the names of " + std::to_string(meant.size()) +
                               " kernels; expected one of " + some_of(meant));
}

Program find_kernel(const Source& source, const std::string& name, const std::string& file) {
  return source.program(choose_kernel(source, name, file));
}

}  // namespace shflsim::isa
