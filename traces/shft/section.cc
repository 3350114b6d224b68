// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/section.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "isa/base/bounded.h"
#include "isa/base/readable.h"

namespace shflsim::traces {
namespace {

constexpr uint32_t kTailMagic = 0x54464853;  // "SHFT"
constexpr int kZstdLevel = 6;
constexpr size_t kChecksumBytes = 4;

uint32_t crc_of(const std::string& bytes, size_t size, uint32_t before = 0) {
  return static_cast<uint32_t>(
      crc32(before, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(size)));
}

/// The bytes with their CRC-32 appended.
std::string sealed(ByteWriter out) {
  out.word32(crc_of(out.bytes(), out.size()));
  return out.bytes();
}

bool is_sealed(const std::string& bytes) {
  const size_t size = bytes.size() - kChecksumBytes;
  return ByteReader(bytes.data() + size, kChecksumBytes, {}).word32() == crc_of(bytes, size);
}

std::string compressed(const std::string& raw) {
  std::string bytes(ZSTD_compressBound(raw.size()), '\0');
  const size_t size = ZSTD_compress(bytes.data(), bytes.size(), raw.data(), raw.size(), kZstdLevel);
  if (ZSTD_isError(size) != 0 || size >= raw.size()) return raw;
  bytes.resize(size);
  return bytes;
}

std::string decompressed(const std::string& stored, uint32_t raw_size, const Place& place) {
  if (stored.size() == raw_size) return stored;
  if (ZSTD_getFrameContentSize(stored.data(), stored.size()) != raw_size)
    place.fail("damaged: the section's size is not that of its contents");
  std::string raw(raw_size, '\0');
  const size_t size = ZSTD_decompress(raw.data(), raw.size(), stored.data(), stored.size());
  if (ZSTD_isError(size) != 0 || size != raw_size) place.fail("damaged: cannot be decompressed");
  return raw;
}

}  // namespace

std::string preamble_bytes() {
  ByteWriter out;
  out.append(std::string(kShftMagic, kMagicBytes));
  out.word32(kShftVersion);
  return sealed(out);
}

std::string tail_bytes(uint64_t index_offset) {
  ByteWriter out;
  out.word64(index_offset);
  out.word32(kTailMagic);
  return sealed(out);
}

std::string section_bytes(SectionKind kind, const std::string& raw) {
  bounded(raw.size(), kMostRawBytes, "a trace with a section", {}, "bytes");
  const std::string stored = compressed(raw);
  ByteWriter head;
  head.word32(static_cast<uint32_t>(kind));
  head.word32(static_cast<uint32_t>(stored.size()));
  head.word32(static_cast<uint32_t>(raw.size()));
  head.word32(crc_of(stored, stored.size(), crc_of(head.bytes(), head.size())));
  head.append(stored);
  return head.bytes();
}

PieceFile::PieceFile(const std::string& path)
    : path_(path), descriptor_(open(isa::readable(path).c_str(), O_RDONLY | O_CLOEXEC)) {
  struct stat status {};
  if (descriptor_ < 0 || fstat(descriptor_, &status) != 0)
    throw InputError({path}, std::strerror(errno));
  size_ = static_cast<uint64_t>(status.st_size);
}

PieceFile::~PieceFile() { close(descriptor_); }

std::string PieceFile::read(uint64_t offset, size_t size) const {
  if (offset > size_ || size > size_ - offset) {
    place(size_).fail("the file ends; expected " + std::to_string(size) + " bytes from offset " +
                      std::to_string(offset));
  }
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t got =
        pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got <= 0) place(offset + done).fail("cannot be read");
    done += static_cast<size_t>(got);
  }
  return bytes;
}

std::string beginning_of(const std::string& path) {
  const PieceFile file(path);
  return file.read(0, std::min<uint64_t>(file.size(), kMagicBytes));
}

bool looks_like_shft(const std::string& beginning) {
  unsigned equal = 0;
  for (size_t i = 0; i < std::min(beginning.size(), kMagicBytes); ++i)
    equal += beginning[i] == kShftMagic[i] ? 1 : 0;
  return equal + 1 >= kMagicBytes;
}

uint32_t read_preamble(const PieceFile& file) {
  if (!looks_like_shft(file.read(0, std::min<uint64_t>(file.size(), kMagicBytes))))
    file.place(0).fail("is no trace; expected the magic of a .shft file");
  const std::string bytes = file.read(0, kPreambleBytes);
  if (bytes.compare(0, kMagicBytes, kShftMagic, kMagicBytes) != 0 || !is_sealed(bytes))
    file.place(0).fail("damaged: the preamble fails its check; expected that of a .shft file");
  const uint32_t version = ByteReader(bytes.data() + kMagicBytes, 4, {}).word32();
  if (version != kShftVersion) {
    file.place(kMagicBytes)
        .fail("is of version " + std::to_string(version) + "; expected version " +
              std::to_string(kShftVersion));
  }
  return version;
}

uint64_t index_offset(const PieceFile& file) {
  constexpr size_t kLeast = kPreambleBytes + kTailBytes;
  if (file.size() < kLeast) file.read(0, kLeast);
  const uint64_t at = file.size() - kTailBytes;
  const std::string bytes = file.read(at, kTailBytes);
  ByteReader in(bytes.data(), bytes.size(), file.place(at));
  const uint64_t offset = in.word64();
  if (in.word32() != kTailMagic || !is_sealed(bytes))
    in.place().fail("no tail; expected a trace file that is whole, this one is cut off or damaged");
  return offset;
}

std::string read_section(const PieceFile& file, uint64_t offset, SectionKind kind, uint64_t* end) {
  const Place place = file.place(offset);
  const std::string head = file.read(offset, kSectionHeadBytes);
  ByteReader in(head.data(), head.size(), place);
  const uint32_t found = in.word32();
  const uint32_t stored_size = in.word32();
  const uint32_t raw_size = in.word32();
  const uint32_t checksum = in.word32();
  const uint32_t most = kind == SectionKind::kSteps ? kMostStepBytes : kMostRawBytes;
  if (!fits(offset + kSectionHeadBytes, stored_size, file.size()) || stored_size > raw_size ||
      raw_size > most)
    place.fail("damaged: the section's size cannot be");
  const std::string stored = file.read(offset + kSectionHeadBytes, stored_size);
  const size_t covered = kSectionHeadBytes - kChecksumBytes;
  if (checksum != crc_of(stored, stored.size(), crc_of(head, covered)))
    place.fail("damaged: the section fails its check");
  if (found != static_cast<uint32_t>(kind)) place.fail("damaged: a section of another kind");
  *end = offset + kSectionHeadBytes + stored_size;
  return decompressed(stored, raw_size, place);
}

}  // namespace shflsim::traces
