// SPDX-License-Identifier: Apache-2.0
#include "isa/base/compressed.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>

#include "isa/base/input_error.h"

namespace shflsim::isa {
namespace {

constexpr int kZstdLevel = 6;
constexpr int kGzipWindow = 15 + 16;  // the largest, with gzip's head and tail
constexpr int kGzipMemory = 8;        // zlib's default

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string by_zstd(const std::string& content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const size_t size =
      ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), kZstdLevel);
  if (ZSTD_isError(size) != 0) throw InputError("zstd cannot compress a view");
  packed.resize(size);
  return packed;
}

/// Compresses in pieces, since zlib counts bytes in 32 bits.
std::string by_gzip(std::string content) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kGzipMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw InputError("zlib cannot compress a view");
  constexpr size_t kMost = std::numeric_limits<uInt>::max() / 2;
  std::string packed;
  std::string piece(1 << 16, '\0');
  size_t at = 0;
  do {
    const size_t length = std::min(kMost, content.size() - at);
    stream.next_in = reinterpret_cast<Bytef*>(content.data()) + at;
    stream.avail_in = static_cast<uInt>(length);
    at += length;
    const int flush = at == content.size() ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream, flush);
      packed.append(piece, 0, piece.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (at != content.size());
  deflateEnd(&stream);
  return packed;
}

}  // namespace

std::string compressed_for(const std::string& path, std::string content) {
  if (ends_with(path, ".zst")) return by_zstd(content);
  if (ends_with(path, ".gz")) return by_gzip(std::move(content));
  return content;
}

}  // namespace shflsim::isa
