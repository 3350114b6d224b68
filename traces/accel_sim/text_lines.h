// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <lzma.h>

#include <cstdio>
#include <string>
#include <vector>

#include "traces/shft/out_file.h"

namespace shflsim::traces {

/// The lines of a file, plain or xz-compressed (told by its content), one at a time.
class TextLines {
 public:
  /// Throws InputError where the file cannot be opened.
  explicit TextLines(const std::string& path);
  ~TextLines();
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// The next line without its end; false behind the last. Throws InputError where the file cannot
  /// be decompressed.
  bool next(std::string* line);
  unsigned number() const { return number_; }  ///< of the last line, from 1
  const std::string& path() const { return path_; }

 private:
  bool fill();
  bool fill_from_xz();
  size_t read_raw();

  const std::string path_;
  std::FILE* file_ = nullptr;
  bool is_xz_ = false;
  bool at_end_ = false;
  lzma_stream xz_ = LZMA_STREAM_INIT;
  std::vector<unsigned char> raw_;
  std::string text_;  ///< not yet handed out from `at_` on
  size_t at_ = 0;
  unsigned number_ = 0;
};

/// The first line that is not blank, decompressed; "" where there is none.
std::string first_line(const std::string& path);

/// A text file that is written piece by piece, as it is or xz-compressed, and is there only once
/// finish() has returned.
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

  OutFile file_;
  const bool compress_;
  lzma_stream xz_ = LZMA_STREAM_INIT;
};

}  // namespace shflsim::traces
