// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/fatbin_support.h"

#include <lz4.h>
#include <zstd.h>

namespace shflsim::isa {
namespace {

template <class Value>
void append(std::string* out, Value value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof value);
}

WrittenEntry packed(WrittenEntry entry, const std::string& payload, uint64_t flag) {
  entry.unpacked_bytes = entry.payload.size();
  entry.payload = payload;
  entry.compressed_bytes = static_cast<uint32_t>(payload.size());
  entry.flags |= flag;
  return entry;
}

std::string text_of(const WrittenEntry& entry) {
  std::string payload = entry.payload;
  payload.resize((payload.size() + 7) / 8 * 8);
  std::string text;
  append(&text, entry.kind);
  append(&text, uint16_t{0x101});
  append(&text, uint32_t{64});
  append(&text, uint64_t{payload.size()});
  append(&text, entry.compressed_bytes);
  append(&text, uint32_t{0});
  append(&text, uint32_t{0x10007});
  append(&text, entry.sm);
  append(&text, uint64_t{0});
  append(&text, entry.flags);
  append(&text, uint64_t{0});
  append(&text, entry.unpacked_bytes);
  return text + payload;
}

}  // namespace

WrittenEntry cubin_entry(uint32_t sm, const std::string& cubin) { return {2, sm, cubin}; }
WrittenEntry ptx_entry(uint32_t sm, const std::string& ptx) { return {1, sm, ptx}; }

WrittenEntry with_lz4(const WrittenEntry& entry) {
  const int size = static_cast<int>(entry.payload.size());
  std::string out(static_cast<size_t>(LZ4_compressBound(size)), '\0');
  const int used =
      LZ4_compress_default(entry.payload.data(), out.data(), size, static_cast<int>(out.size()));
  return packed(entry, out.substr(0, static_cast<size_t>(used)), 0x2000);
}

WrittenEntry with_zstd(const WrittenEntry& entry) {
  std::string out(ZSTD_compressBound(entry.payload.size()), '\0');
  const size_t used =
      ZSTD_compress(out.data(), out.size(), entry.payload.data(), entry.payload.size(), 3);
  return packed(entry, out.substr(0, used), 0x8000);
}

std::string fatbin_of(const std::vector<WrittenEntry>& entries) {
  std::string body;
  for (const WrittenEntry& entry : entries) body += text_of(entry);
  std::string text;
  append(&text, uint32_t{0xba55ed50});
  append(&text, uint16_t{1});
  append(&text, uint16_t{16});
  append(&text, uint64_t{body.size()});
  return text + body;
}

}  // namespace shflsim::isa
