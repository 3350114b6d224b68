// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace shflsim::traces {

/// Delivers the text of a file piece by piece, from start to end.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Reads up to `size` bytes of text; returns 0 at the end. Throws InputError, which names the
  /// line `line`, if the file cannot be read or decompressed.
  virtual size_t read(char* to, size_t size, unsigned line) = 0;
};

/// A file that is open for reading. Reading it is shown as progress of work.
class SourceFile {
 public:
  /// Throws InputError if the file cannot be opened.
  explicit SourceFile(const std::string& path);
  ~SourceFile();
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  /// Reads the next `size` bytes, or fewer at the end of the file. `line`: line named in errors.
  size_t read(char* to, size_t size, unsigned line);
  /// Reads from any offset in the file.
  size_t read_at(uint64_t place, char* to, size_t size) const;

  const std::string& path() const { return path_; }
  bool at_end() const { return at_end_; }  ///< the file is read to its end
  uint64_t size() const { return size_; }  ///< in bytes; 0 if unknown, as for a pipe

 private:
  const std::string path_;
  int descriptor_ = -1;
  bool at_end_ = false;
  uint64_t size_ = 0;
  uint64_t read_ = 0;  ///< bytes read so far
};

/// The text of a plain file, an xz file or a .tracez, recognised by its content; of a plain trace
/// without the colours, line numbers and others that people's tools add, then read as a whole.
/// Throws InputError if the file cannot be opened.
std::unique_ptr<TextSource> open_text(const std::string& path);

}  // namespace shflsim::traces
