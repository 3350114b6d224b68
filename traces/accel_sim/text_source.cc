// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/text_source.h"

#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/base/readable.h"
#include "isa/base/work.h"
#include "isa/dialects/source.h"
#include "traces/accel_sim/traceg.h"
#include "traces/accel_sim/tracez_text.h"

namespace shflsim::traces {
namespace {

constexpr size_t kSourcePiece = 1 << 16;
constexpr unsigned char kXzMagic[] = {0xFD, '7', 'z', 'X', 'Z', 0};
constexpr unsigned char kGzipMagic[] = {0x1F, 0x8B, 8};
constexpr int kGzipWindow = 15 + 16;  // zlib's largest window, and a gzip file's head
constexpr uint64_t kMostMemory = uint64_t{256} << 20;  // xz -9 needs 65 MiB to decompress

class PlainText final : public TextSource {
 public:
  PlainText(std::unique_ptr<SourceFile> file, std::vector<char> first)
      : file_(std::move(file)), first_(std::move(first)) {}

  size_t read(char* to, size_t size, unsigned line) override {
    const size_t known = std::min(size, first_.size() - taken_);
    std::copy_n(first_.data() + taken_, known, to);
    taken_ += known;
    return known + file_->read(to + known, size - known, line);
  }

 private:
  const std::unique_ptr<SourceFile> file_;
  const std::vector<char> first_;  ///< bytes read to recognise the file
  size_t taken_ = 0;
};

class XzText final : public TextSource {
 public:
  XzText(std::unique_ptr<SourceFile> file, std::vector<char> first)
      : file_(std::move(file)), raw_(std::move(first)) {
    xz_.next_in = reinterpret_cast<const uint8_t*>(raw_.data());
    xz_.avail_in = raw_.size();
    raw_.resize(kSourcePiece);
    if (lzma_stream_decoder(&xz_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK)
      throw InputError({file_->path()}, "cannot be decompressed: no memory");
  }
  ~XzText() override { lzma_end(&xz_); }
  XzText(const XzText&) = delete;
  XzText& operator=(const XzText&) = delete;

  size_t read(char* to, size_t size, unsigned line) override {
    xz_.next_out = reinterpret_cast<uint8_t*>(to);
    xz_.avail_out = size;
    lzma_ret result = LZMA_OK;
    while (result == LZMA_OK && xz_.avail_out != 0) {
      if (xz_.avail_in == 0 && !file_->at_end()) {
        xz_.next_in = reinterpret_cast<const uint8_t*>(raw_.data());
        xz_.avail_in = file_->read(raw_.data(), raw_.size(), line);
      }
      result = lzma_code(&xz_, file_->at_end() ? LZMA_FINISH : LZMA_RUN);
    }
    if (result != LZMA_OK && result != LZMA_STREAM_END)
      throw InputError({file_->path(), line}, "cannot be decompressed; expected a whole xz file");
    return size - xz_.avail_out;
  }

 private:
  const std::unique_ptr<SourceFile> file_;
  std::vector<char> raw_;  ///< compressed bytes
  lzma_stream xz_ = LZMA_STREAM_INIT;
};

/// A gzip file, or several one after the other.
class GzipText final : public TextSource {
 public:
  GzipText(std::unique_ptr<SourceFile> file, std::vector<char> first)
      : file_(std::move(file)), raw_(std::move(first)) {
    gzip_.next_in = reinterpret_cast<Bytef*>(raw_.data());
    gzip_.avail_in = static_cast<uInt>(raw_.size());
    raw_.resize(kSourcePiece);
    if (inflateInit2(&gzip_, kGzipWindow) != Z_OK)
      throw InputError({file_->path()}, "cannot be decompressed: no memory");
  }
  ~GzipText() override { inflateEnd(&gzip_); }
  GzipText(const GzipText&) = delete;
  GzipText& operator=(const GzipText&) = delete;

  size_t read(char* to, size_t size, unsigned line) override {
    gzip_.next_out = reinterpret_cast<Bytef*>(to);
    gzip_.avail_out = static_cast<uInt>(size);
    while (gzip_.avail_out != 0) {
      if (gzip_.avail_in == 0) {
        gzip_.next_in = reinterpret_cast<Bytef*>(raw_.data());
        gzip_.avail_in = static_cast<uInt>(file_->read(raw_.data(), raw_.size(), line));
      }
      if (gzip_.avail_in == 0 && is_whole_) break;
      const int result = gzip_.avail_in == 0 ? Z_BUF_ERROR : inflate(&gzip_, Z_NO_FLUSH);
      is_whole_ = result == Z_STREAM_END;
      if (is_whole_) inflateReset(&gzip_);
      if (result != Z_OK && !is_whole_)
        throw InputError({file_->path(), line},
                         "cannot be decompressed; expected a whole gzip file");
    }
    return size - gzip_.avail_out;
  }

 private:
  const std::unique_ptr<SourceFile> file_;
  std::vector<char> raw_;  ///< compressed bytes
  z_stream gzip_ = {};
  bool is_whole_ = false;  ///< between two files
};

/// A trace as people pass it on, without what they and their tools add. Its lines begin with their
/// first letter that is no blank, as the tracer writes them.
class CopiedText final : public TextSource {
 public:
  CopiedText(SourceFile* file, const std::vector<char>& first) {
    const isa::SharedText text = isa::plain_source(file->path(), whole(file, first));
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      const std::string_view line = text.substr(at, end - at);
      text_ += line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
      at = end;
    }
  }

  size_t read(char* to, size_t size, unsigned /*line*/) override {
    const size_t got = text_.copy(to, size, taken_);
    taken_ += got;
    return got;
  }

 private:
  static std::string whole(SourceFile* file, const std::vector<char>& first) {
    std::string text(first.begin(), first.end());
    std::vector<char> piece(kSourcePiece);
    while (const size_t got = file->read(piece.data(), piece.size(), 1)) {
      if (text.size() + got > kMostSourceBytes)
        throw InputError({file->path()},
                         "is too large with what stands around its lines; expected it as the "
                         "tracer writes it, from '-kernel name = ' on");
      text.append(piece.data(), got);
    }
    return text;
  }

  std::string text_;
  size_t taken_ = 0;
};

/// True if a trace's first line is not where the file begins, or ends with a carriage return alone.
/// UTF-16 has zeros between letters.
bool begins_as_copied_trace(const std::vector<char>& bytes) {
  constexpr size_t kMostBefore = 4096;
  std::string head(bytes.data(), std::min(bytes.size(), kMostBefore));
  head.erase(std::remove(head.begin(), head.end(), '\0'), head.end());
  const size_t first = std::min(head.find_first_not_of("\r\n"), head.size());
  return head.find("-kernel name = ") != std::string::npos &&
         (!looks_like_traceg(head.substr(first)) ||
          (head.find('\n') == std::string::npos && head.find('\r') != std::string::npos));
}

template <size_t kSize>
bool begins_with(const std::vector<char>& bytes, const unsigned char (&magic)[kSize]) {
  return bytes.size() >= kSize && std::memcmp(bytes.data(), magic, kSize) == 0;
}

}  // namespace

SourceFile::SourceFile(const std::string& path) : path_(path) {
  const std::string name = isa::readable(path);
  std::error_code unknown;  // an inaccessible file cannot be opened either
  if (std::filesystem::is_directory(name, unknown))
    throw InputError({path}, "is a folder; expected a file");
  descriptor_ = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) throw InputError({path}, std::strerror(errno));
  struct stat status {};
  if (fstat(descriptor_, &status) == 0) size_ = static_cast<uint64_t>(status.st_size);
}

SourceFile::~SourceFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

size_t SourceFile::read(char* to, size_t size, unsigned line) {
  size_t done = 0;
  while (done < size && !at_end_) {
    const ssize_t got = ::read(descriptor_, to + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError({path_, line}, std::strerror(errno));
    at_end_ = got == 0;
    done += static_cast<size_t>(got);
  }
  read_ += done;
  tell_work(read_, size_, "bytes");
  return done;
}

size_t SourceFile::read_at(uint64_t place, char* to, size_t size) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t got =
        pread(descriptor_, to + done, size - done, static_cast<off_t>(place + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError({path_}, std::strerror(errno));
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

std::unique_ptr<TextSource> open_text(const std::string& path) {
  auto file = std::make_unique<SourceFile>(path);
  std::vector<char> first(kSourcePiece);
  first.resize(file->read(first.data(), first.size(), 1));
  if (begins_with(first, kXzMagic))
    return std::make_unique<XzText>(std::move(file), std::move(first));
  if (begins_with(first, kGzipMagic))
    return std::make_unique<GzipText>(std::move(file), std::move(first));
  if (begins_as_tracez({first.data(), first.size()}))
    return std::make_unique<TracezText>(std::move(file),
                                        std::string_view(first.data(), first.size()));
  if (begins_as_copied_trace(first)) return std::make_unique<CopiedText>(file.get(), first);
  return std::make_unique<PlainText>(std::move(file), std::move(first));
}

}  // namespace shflsim::traces
