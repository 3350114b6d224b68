// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace shflsim::traces {

/// Where the text of a file comes from, piece by piece, from its start to its end.
class TextSource {
 public:
  virtual ~TextSource() = default;
  /// Up to `size` bytes of text; 0 at the end. Throws InputError, which names the line `line`,
  /// where the file cannot be read or decompressed.
  virtual size_t read(char* to, size_t size, unsigned line) = 0;
};

/// A file that is open for reading. What is read of it is shown as work done.
class SourceFile {
 public:
  /// Throws InputError if the file cannot be opened.
  explicit SourceFile(const std::string& path);
  ~SourceFile();
  SourceFile(const SourceFile&) = delete;
  SourceFile& operator=(const SourceFile&) = delete;

  /// As many bytes as asked for, the next ones of the file; fewer at its end. `line`: for errors.
  size_t read(char* to, size_t size, unsigned line);
  /// Reads from any place in the file.
  size_t read_at(uint64_t place, char* to, size_t size) const;

  const std::string& path() const { return path_; }
  bool at_end() const { return at_end_; }  ///< the file is read to its end
  uint64_t size() const { return size_; }  ///< in bytes; 0 where unknown, as of a pipe

 private:
  const std::string path_;
  int descriptor_ = -1;
  bool at_end_ = false;
  uint64_t size_ = 0;
  uint64_t read_ = 0;  ///< bytes read so far
};

/// The text of a file, plain, xz-compressed or a .tracez, recognised by the content. Throws
/// InputError where the file cannot be opened.
std::unique_ptr<TextSource> open_text(const std::string& path);

}  // namespace shflsim::traces
