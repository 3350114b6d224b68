// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/text_lines.h"

#include <algorithm>
#include <cstring>

#include "isa/base/input_error.h"

namespace shflsim::traces {
namespace {

constexpr size_t kPiece = 1 << 16;
constexpr size_t kBuffer = 1 << 18;
constexpr size_t kMostLine = 1 << 20;  // the longest names of kernels have some 10,000 bytes
constexpr uint32_t kXzPreset = 6;

}  // namespace

TextLines::TextLines(const std::string& path)
    : path_(path), source_(open_text(path)), buffer_(kBuffer) {
  at_ = buffer_.data();
  end_ = at_ + source_->read(buffer_.data(), kPiece, 1);
}

bool TextLines::next(std::string_view* line) {
  size_t searched = 0;
  const void* found = nullptr;
  while ((found = std::memchr(at_ + searched, '\n', ahead().size() - searched)) == nullptr) {
    searched = ahead().size();
    if (!fill()) break;
  }
  if (found == nullptr && at_ == end_) return false;
  const char* const end = found == nullptr ? end_ : static_cast<const char*>(found);
  *line = {at_, static_cast<size_t>(end - at_)};
  if (!line->empty() && line->back() == '\r') line->remove_suffix(1);
  at_ = found == nullptr ? end_ : end + 1;
  ++number_;
  return true;
}

/// Appends a piece to the unread text; false at the end.
bool TextLines::fill() {
  make_room();
  char* const to = buffer_.data() + ahead().size();
  const size_t got = source_->read(to, buffer_.size() - ahead().size(), number_ + 1);
  end_ += got;
  return got != 0;
}

/// Moves the unread text to the start of the buffer, and enlarges the buffer if one line fills
/// it.
void TextLines::make_room() {
  const size_t left = ahead().size();
  std::memmove(buffer_.data(), at_, left);
  if (left == buffer_.size()) {
    if (left >= kMostLine)
      throw InputError({path_, number_ + 1}, "a line of over 1 MiB; expected a text of lines");
    buffer_.resize(2 * left);
  }
  at_ = buffer_.data();
  end_ = at_ + left;
}

std::string first_line(const std::string& path) {
  TextLines lines(path);
  std::string_view line;
  if (lines.ahead().empty() && !lines.next(&line)) return "";
  std::string_view text = line.empty() ? lines.ahead() : line;
  text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
  return std::string(text.substr(0, text.find_first_of("\r\n")));
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
