// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shflsim::isa {

/// An entry of a fat binary to be written; each field has its value in the file.
struct WrittenEntry {
  uint16_t kind = 2;  ///< 1: PTX, 2: cubin
  uint32_t sm = 50;
  std::string payload;
  uint32_t compressed_bytes = 0;
  uint64_t flags = 0x11;
  uint64_t unpacked_bytes = 0;
};

WrittenEntry cubin_entry(uint32_t sm, const std::string& cubin);
WrittenEntry ptx_entry(uint32_t sm, const std::string& ptx);
WrittenEntry with_lz4(const WrittenEntry& entry);
WrittenEntry with_zstd(const WrittenEntry& entry);

/// One fat binary, as fatbinary 13.0 writes it: payloads are padded with zeros to 8 bytes.
std::string fatbin_of(const std::vector<WrittenEntry>& entries);

}  // namespace shflsim::isa
