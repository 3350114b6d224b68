// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lzma.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/out_file.h"
#include "traces/accel_sim/text_source.h"

namespace shflsim::traces {

/// The lines of a text file, xz file or .tracez, one at a time. The file is read once, from start
/// to end; memory is needed for the longest line. The lines of a .tracez have the numbers of the
/// lines in the .traceg with the same content.
class TextLines {
 public:
  /// Throws InputError if the file cannot be opened.
  explicit TextLines(const std::string& path);

  /// The next line without its end, valid until the next call; false after the last line. Throws
  /// InputError if the file cannot be read or decompressed, or has a line of over 1 MiB.
  bool next(std::string_view* line);
  /// The text that is buffered: more than the next line, or less at the end of a piece.
  std::string_view ahead() const { return {at_, static_cast<size_t>(end_ - at_)}; }
  /// Skips the next line, which has `bytes` bytes with its end.
  void skip_line(size_t bytes) {
    at_ += bytes;
    ++number_;
  }
  unsigned number() const { return number_; }  ///< number of the last line, from 1
  const std::string& path() const { return path_; }

 private:
  bool fill();
  void make_room();

  const std::string path_;
  const std::unique_ptr<TextSource> source_;
  std::vector<char> buffer_;  ///< text; from `at_` to `end_` it is not read yet
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  unsigned number_ = 0;
};

/// The first non-blank line, decompressed, or as much of it as the file's first piece holds; "" if
/// there is none.
std::string first_line(const std::string& path);

/// Writes a text file piece by piece, plain or compressed with xz. The file appears when finish()
/// returns.
class TextOut {
 public:
  TextOut(const std::string& path, bool compress);
  ~TextOut();
  TextOut(const TextOut&) = delete;
  TextOut& operator=(const TextOut&) = delete;

  void write(const std::string& text);
  void finish();

 private:
  void encode(lzma_action action);

  isa::OutFile file_;
  const bool compress_;
  lzma_stream xz_ = LZMA_STREAM_INIT;
};

}  // namespace shflsim::traces
