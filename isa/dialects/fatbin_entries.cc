// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/fatbin_entries.h"

#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "isa/base/bounded.h"

namespace shflsim::isa {
namespace {

constexpr uint64_t kFlagLz4 = 0x2000;   // --compress-mode=speed, and all of CUDA up to 12
constexpr uint64_t kFlagZstd = 0x8000;  // the other modes

struct FatHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t body_bytes;
};

struct EntryHeader {
  uint16_t kind;
  uint16_t version;
  uint32_t header_bytes;
  uint64_t payload_bytes;     // with padding to 8 bytes
  uint32_t compressed_bytes;  // without; 0 if it is not packed
  uint32_t options;
  uint16_t minor;
  uint16_t major;
  uint32_t sm;
  uint32_t name;
  uint32_t name_bytes;
  uint64_t flags;
  uint64_t unused;
  uint64_t unpacked_bytes;
};
static_assert(sizeof(EntryHeader) == 64, "as it stands in the file");

template <class Header>
bool read_at(std::string_view text, size_t at, Header* header) {
  if (at > text.size() || text.size() - at < sizeof *header) return false;
  std::memcpy(header, text.data() + at, sizeof *header);
  return true;
}

FatbinEntry entry_of(const EntryHeader& header, const std::string& file, SharedText payload) {
  FatbinEntry entry;
  entry.kind = static_cast<FatbinEntry::Kind>(header.kind);
  entry.sm = header.sm;
  if ((header.flags & kFlagZstd) != 0) entry.packing = FatbinEntry::Packing::kZstd;
  if ((header.flags & kFlagLz4) != 0) entry.packing = FatbinEntry::Packing::kLz4;
  if (entry.packing != FatbinEntry::Packing::kNone) {
    bounded(header.compressed_bytes, payload.size(), "compressed code for " + entry.architecture(),
            {file}, "bytes");
    payload = payload.part(0, header.compressed_bytes);
    entry.unpacked_bytes = header.unpacked_bytes;
  }
  entry.payload = std::move(payload);
  return entry;
}

/// The entries of the fat binary whose body is the bytes from `at` to `end`.
void read_body(const SourceText& source, size_t at, size_t end, size_t region,
               std::vector<FatbinEntry>* entries) {
  const SharedText& text = source.text;
  EntryHeader header;
  while (at < end && read_at(text, at, &header)) {
    const uint64_t size = sum_of(header.header_bytes, header.payload_bytes);
    if (header.header_bytes < sizeof header || !fits(at, size, text.size())) {
      throw InputError({source.file}, "the fat binary is cut off at byte " + std::to_string(at) +
                                          "; expected a whole one");
    }
    if (header.kind == 1 || header.kind == 2) {
      entries->push_back(
          entry_of(header, source.file,
                   text.part(at + header.header_bytes, static_cast<size_t>(header.payload_bytes))));
      entries->back().region = region;
    }
    at += size;
  }
}

/// Unpacks into `out`; false if the payload does not have exactly the size of `out`.
bool unpack(const FatbinEntry& entry, std::string* out) {
  const SharedText& from = entry.payload;
  if (entry.packing == FatbinEntry::Packing::kLz4) {
    return LZ4_decompress_safe(from.data(), out->data(), static_cast<int>(from.size()),
                               static_cast<int>(out->size())) == static_cast<int>(out->size());
  }
  return ZSTD_decompress(out->data(), out->size(), from.data(), from.size()) == out->size();
}

/// The greatest unpacked size of a payload: at most 255 bytes per byte of LZ4; at most 128 KiB per
/// block of zstd, which has at least 3 bytes.
uint64_t most_unpacked(const FatbinEntry& entry) {
  constexpr uint64_t kLz4 = 255;
  constexpr uint64_t kZstd = uint64_t{128} << 10;
  const bool is_lz4 = entry.packing == FatbinEntry::Packing::kLz4;
  return std::min(kMostSourceBytes, is_lz4 ? product_of(entry.payload.size(), kLz4)
                                           : product_of(entry.payload.size() / 3, kZstd));
}

}  // namespace

/// Uses memmem, which is several times as fast as find() in a library of hundreds of MB.
size_t find_fatbin(std::string_view text, size_t at) {
  if (at >= text.size()) return std::string_view::npos;
  const void* const found =
      memmem(text.data() + at, text.size() - at, kFatbinMagic.data(), kFatbinMagic.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

std::vector<FatbinEntry> read_fatbin_entries(const SourceText& source) {
  std::vector<FatbinEntry> entries;
  size_t behind = 0;
  size_t region = 0;
  for (size_t at = find_fatbin(source.text); at != std::string::npos;
       at = find_fatbin(source.text, behind)) {
    behind = at + 1;
    FatHeader header;
    if (!read_at(source.text, at, &header)) continue;
    const uint64_t body = at + header.header_bytes;
    if (!fits(body, header.body_bytes, source.text.size())) continue;
    behind = std::max(behind, body + header.body_bytes);
    read_body(source, body, body + header.body_bytes, region++, &entries);
  }
  return entries;
}

SourceText unpacked(const FatbinEntry& entry, const std::string& file) {
  SourceText code{file + ":" + entry.architecture(), entry.payload, ""};
  if (entry.packing != FatbinEntry::Packing::kNone) {
    bounded(entry.unpacked_bytes, most_unpacked(entry), "unpacked code", {code.file}, "bytes");
    std::string bytes(entry.unpacked_bytes, '\0');
    if (!unpack(entry, &bytes)) {
      throw InputError({code.file}, "compressed code that is damaged; expected " +
                                        std::to_string(entry.unpacked_bytes) + " bytes of it");
    }
    code.text = SharedText(std::move(bytes));
  }
  if (entry.kind == FatbinEntry::Kind::kPtx)  // padded with zeros
    code.text = code.text.part(0, code.text.find_last_not_of('\0') + 1);
  return code;
}

}  // namespace shflsim::isa
