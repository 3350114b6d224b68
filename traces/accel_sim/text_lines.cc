// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/text_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"
#include "isa/base/work.h"

namespace shflsim::traces {
namespace {

constexpr size_t kPiece = 1 << 16;
constexpr size_t kBuffer = 1 << 18;
constexpr size_t kMostLine = 1 << 20;  // the longest names of kernels have some 10,000 bytes
constexpr unsigned char kXzMagic[] = {0xFD, '7', 'z', 'X', 'Z', 0};
constexpr uint64_t kMostMemory = uint64_t{256} << 20;  // xz -9 needs 65 MiB to decompress
constexpr uint32_t kXzPreset = 6;

}  // namespace

TextLines::TextLines(const std::string& path) : path_(path), buffer_(kBuffer) {
  const std::string name = isa::readable(path);
  std::error_code unknown;  // what cannot be looked at cannot be opened either
  if (std::filesystem::is_directory(name, unknown))
    throw InputError({path}, "is a folder; expected a file");
  descriptor_ = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw InputError({path}, std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor_, &status) == 0) size_ = static_cast<uint64_t>(status.st_size);
  const size_t got = read_file(buffer_.data(), kPiece);
  is_xz_ = got >= sizeof kXzMagic && std::memcmp(buffer_.data(), kXzMagic, sizeof kXzMagic) == 0;
  at_ = buffer_.data();
  end_ = at_ + (is_xz_ ? 0 : got);
  if (!is_xz_) return;
  raw_.assign(at_, at_ + got);
  raw_.resize(kPiece);
  if (lzma_stream_decoder(&xz_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK)
    throw InputError({path}, "cannot be decompressed: no memory");
  xz_.next_in = reinterpret_cast<const uint8_t*>(raw_.data());
  xz_.avail_in = got;
}

TextLines::~TextLines() {
  lzma_end(&xz_);
  if (descriptor_ >= 0) close(descriptor_);
}

/// As many bytes as asked for; fewer at the file's end.
size_t TextLines::read_file(char* to, size_t size) {
  size_t done = 0;
  while (done < size && !at_end_) {
    const ssize_t got = read(descriptor_, to + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError({path_, number_ + 1}, std::strerror(errno));
    at_end_ = got == 0;
    done += static_cast<size_t>(got);
  }
  read_ += done;
  tell_work(read_, size_, "bytes");
  return done;
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

/// Adds a piece behind what is not handed out; false at the end.
bool TextLines::fill() {
  make_room();
  char* const to = buffer_.data() + ahead().size();
  const size_t got = read_into(to, buffer_.size() - ahead().size());
  end_ += got;
  return got != 0;
}

/// Brings what is not handed out to the buffer's start, and makes the buffer larger where it is
/// full of one line.
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

size_t TextLines::read_into(char* to, size_t size) {
  return is_xz_ ? decompress_into(to, size) : read_file(to, size);
}

size_t TextLines::decompress_into(char* to, size_t size) {
  xz_.next_out = reinterpret_cast<uint8_t*>(to);
  xz_.avail_out = size;
  lzma_ret result = LZMA_OK;
  while (result == LZMA_OK && xz_.avail_out != 0) {
    if (xz_.avail_in == 0 && !at_end_) {
      xz_.next_in = reinterpret_cast<const uint8_t*>(raw_.data());
      xz_.avail_in = read_file(raw_.data(), raw_.size());
    }
    result = lzma_code(&xz_, at_end_ ? LZMA_FINISH : LZMA_RUN);
  }
  if (result != LZMA_OK && result != LZMA_STREAM_END)
    throw InputError({path_, number_ + 1}, "cannot be decompressed; expected a whole xz file");
  return size - xz_.avail_out;
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
