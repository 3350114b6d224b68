// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/text_lines.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "isa/input_error.h"

namespace shflsim::traces {
namespace {

constexpr size_t kPiece = 1 << 16;
constexpr unsigned char kXzMagic[] = {0xFD, '7', 'z', 'X', 'Z', 0};
constexpr uint64_t kMostMemory = uint64_t{256} << 20;  // xz -9 needs 65 MiB to decompress
constexpr uint32_t kXzPreset = 6;

}  // namespace

TextLines::TextLines(const std::string& path) : path_(path), raw_(kPiece) {
  if (std::filesystem::is_directory(path)) throw InputError({path}, "is a folder; expected a file");
  file_ = std::fopen(path.c_str(), "rb");
  if (file_ == nullptr) throw InputError({path}, std::strerror(errno));
  const size_t got = read_raw();
  is_xz_ =
      got >= sizeof kXzMagic && std::equal(std::begin(kXzMagic), std::end(kXzMagic), raw_.begin());
  if (!is_xz_) text_.assign(reinterpret_cast<const char*>(raw_.data()), got);
  if (is_xz_ && lzma_stream_decoder(&xz_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK)
    throw InputError({path}, "cannot be decompressed: no memory");
  xz_.next_in = raw_.data();
  xz_.avail_in = got;
}

TextLines::~TextLines() {
  lzma_end(&xz_);
  std::fclose(file_);
}

size_t TextLines::read_raw() {
  const size_t got = std::fread(raw_.data(), 1, raw_.size(), file_);
  at_end_ = got < raw_.size();
  return got;
}

bool TextLines::next(std::string* line) {
  size_t end = text_.find('\n', at_);
  while (end == std::string::npos && fill()) end = text_.find('\n', at_);
  if (end == std::string::npos && at_ == text_.size()) return false;
  line->assign(text_, at_, end == std::string::npos ? end : end - at_);
  if (!line->empty() && line->back() == '\r') line->pop_back();
  at_ = end == std::string::npos ? text_.size() : end + 1;
  ++number_;
  return true;
}

/// Adds a piece behind what is not handed out; false at the end.
bool TextLines::fill() {
  text_.erase(0, at_);
  at_ = 0;
  if (is_xz_) return fill_from_xz();
  if (at_end_) return false;
  const size_t got = read_raw();
  text_.append(reinterpret_cast<const char*>(raw_.data()), got);
  return got != 0;
}

bool TextLines::fill_from_xz() {
  const size_t before = text_.size();
  text_.resize(before + kPiece);
  xz_.next_out = reinterpret_cast<unsigned char*>(&text_[before]);
  xz_.avail_out = kPiece;
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK && xz_.avail_out != 0) {
    if (xz_.avail_in == 0 && !at_end_) {
      xz_.next_in = raw_.data();
      xz_.avail_in = read_raw();
    }
    result = lzma_code(&xz_, at_end_ ? LZMA_FINISH : LZMA_RUN);
  }
  text_.resize(text_.size() - xz_.avail_out);
  if (result != LZMA_OK && result != LZMA_STREAM_END)
    throw InputError({path_, number_ + 1}, "cannot be decompressed; expected a whole xz file");
  return text_.size() != before;
}

std::string first_line(const std::string& path) {
  TextLines lines(path);
  std::string line;
  while (line.empty() && lines.next(&line)) {
  }
  return line;
}

TextOut::TextOut(const std::string& path, bool compress) : file_(path), compress_(compress) {
  if (compress && lzma_easy_encoder(&xz_, kXzPreset, LZMA_CHECK_CRC64) != LZMA_OK)
    throw InputError({path}, "cannot be compressed: no memory");
}

TextOut::~TextOut() { lzma_end(&xz_); }

void TextOut::write(const std::string& text) {
  if (!compress_) return file_.write(text);
  xz_.next_in = reinterpret_cast<const uint8_t*>(text.data());
  xz_.avail_in = text.size();
  encode(LZMA_RUN);
}

void TextOut::encode(lzma_action action) {
  std::string bytes(kPiece, '\0');
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK && (xz_.avail_in != 0 || action == LZMA_FINISH)) {
    xz_.next_out = reinterpret_cast<uint8_t*>(bytes.data());
    xz_.avail_out = bytes.size();
    result = lzma_code(&xz_, action);
    file_.write(bytes.substr(0, bytes.size() - xz_.avail_out));
  }
}

void TextOut::finish() {
  if (compress_) encode(LZMA_FINISH);
  file_.commit();
}

}  // namespace shflsim::traces
