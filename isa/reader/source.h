// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "isa/program.h"

namespace shflsim::isa {

/// A file's text, decompressed where it was gzip.
struct SourceText {
  std::string file;
  std::string text;
};

/// Kernels that one input file holds. A kernel is decoded when it is asked for, so that one with an
/// unknown word does not keep the others from running.
class Source {
 public:
  virtual ~Source() = default;
  virtual std::vector<std::string> kernels() const = 0;
  /// Throws InputError with file, line and column for anything in the kernel that cannot be used.
  virtual Program program(const std::string& kernel) const = 0;
};

/// A way of writing SPA 5.0 code down. A new one is one file that defines a Dialect, and its line
/// in dialects().
struct Dialect {
  const char* name;
  const char* help;
  bool (*recognises)(const SourceText& source);
  std::unique_ptr<Source> (*open)(const SourceText& source);
};

extern const Dialect kCubinDialect;    ///< ELF files of ptxas
extern const Dialect kFatbinDialect;   ///< fat binaries, and programs with one in them
extern const Dialect kListingDialect;  ///< cuobjdump -sass and nvdisasm -hex
extern const Dialect kPtxDialect;      ///< PTX (isa/ptx)
extern const Dialect kMaxasDialect;    ///< maxas text
extern const Dialect kCuasmDialect;    ///< CuAssembler text
extern const Dialect kManualDialect;   ///< the manual's syntax
const std::vector<Dialect>& dialects();

/// Reads a file, gzip or plain. Throws InputError where that fails.
SourceText read_source_text(const std::string& path);
/// Opens a file with the first dialect that recognises it.
std::unique_ptr<Source> open_source(const std::string& path);

/// The kernel of that name, or the only one there is where `name` is empty.
Program find_kernel(const Source& source, const std::string& name, const std::string& file);

}  // namespace shflsim::isa
