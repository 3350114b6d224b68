// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/source.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "isa/base/bounded.h"
#include "isa/base/readable.h"

namespace shflsim::isa {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // what some editors begin UTF-8 with

std::vector<Dialect>& table() {
  static std::vector<Dialect> dialects;
  return dialects;
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
  std::error_code unknown;  // what cannot be looked at cannot be opened either, which says why
  if (std::filesystem::is_directory(name, unknown)) {
    throw InputError({path}, "is a folder; expected a file");
  }
  // gzread passes plain files through, so one call serves both.
  gzFile file = gzopen(name.c_str(), "rb");
  if (file == nullptr) throw InputError({path}, std::string(std::strerror(errno)));
  SourceText source{path, ""};
  char buffer[65536];
  int got = 0;
  while ((got = gzread(file, buffer, sizeof buffer)) > 0) {
    const auto size = static_cast<size_t>(got);
    if (!fits(source.text.size(), size, kMostSourceBytes)) break;
    source.text.append(buffer, size);
  }
  const bool complete = gzclose(file) == Z_OK && got == 0;
  if (got > 0) {
    throw InputError({path}, "is too large; expected code of " + std::to_string(kMostSourceBytes) +
                                 " bytes at most, unpacked");
  }
  if (!complete) throw InputError({path}, "cannot be read to its end; expected text or gzip");
  if (source.text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0) {
    source.text.erase(0, kByteOrderMark.size());
  }
  return source;
}

std::unique_ptr<Source> open_source(const std::string& path, const std::string& architecture,
                                    std::optional<Lowering> lowering) {
  SourceText source = read_source_text(path);
  source.architecture = architecture;
  source.lowering = lowering.value_or(source.lowering);
  for (const Dialect& dialect : Dialects::all()) {
    if (!dialect.recognises(source)) continue;
    if (!architecture.empty() && !dialect.has_architecture)
      throw InputError({path}, "is no binary, of which --arch " + architecture +
                                   " could take a part; expected a cubin or a fat binary");
    if (lowering && !dialect.has_lowering)
      throw InputError({path}, "is not lowered here; expected PTX with --lowering");
    return dialect.open(source);
  }
  throw InputError(
      {path},
      "is in no format that can be read; expected a cubin, a listing, PTX or the manual's syntax");
}

std::string choose_kernel(const Source& source, const std::string& name, const std::string& file) {
  const std::vector<std::string> kernels = source.kernels();
  if (name.empty() && kernels.size() == 1) return kernels.front();
  if (name.empty()) {
    throw InputError({file}, "holds " + std::to_string(kernels.size()) +
                                 " kernels; choose one with --kernel" + suggestion("", kernels));
  }
  if (std::find(kernels.begin(), kernels.end(), name) == kernels.end()) {
    throw InputError({file}, "no kernel '" + name + "'" + suggestion(name, kernels));
  }
  return name;
}

Program find_kernel(const Source& source, const std::string& name, const std::string& file) {
  return source.program(choose_kernel(source, name, file));
}

}  // namespace shflsim::isa
