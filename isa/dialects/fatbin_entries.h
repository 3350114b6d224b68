// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/base/shared_text.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// The first bytes of each fat binary: 0xba55ed50, version 1.
constexpr std::string_view kFatbinMagic("\x50\xed\x55\xba\x01\x00", 6);

/// One entry of a fat binary: the code of a file for one architecture, a cubin or PTX. Layout and
/// flags were read from the output of fatbinary 13.0 for known code, with each --compress-mode.
struct FatbinEntry {
  enum class Kind : uint16_t { kPtx = 1, kCubin = 2 };
  enum class Packing { kNone, kLz4, kZstd };

  Kind kind = Kind::kCubin;
  unsigned sm = 0;
  Packing packing = Packing::kNone;
  size_t region = 0;            ///< number of the fat binary in the file: one per source file
  uint64_t unpacked_bytes = 0;  ///< as the entry states; 0 if it is not packed
  SharedText payload;           ///< bytes in the file; without padding if it is packed

  std::string packing_name() const {
    return packing == Packing::kNone ? "" : packing == Packing::kLz4 ? "LZ4" : "zstd";
  }
  std::string architecture() const {  ///< in the notation of --arch
    return (kind == Kind::kCubin ? "sm_" : "compute_") + std::to_string(sm);
  }
};

/// The position of the next fat binary from `at` on; npos if there is none.
size_t find_fatbin(std::string_view text, size_t at = 0);

/// All entries of all fat binaries in a file, which may have anything around them: an object file,
/// a program, a static library. Throws InputError if one is cut off. Entries of other kinds are
/// left out.
std::vector<FatbinEntry> read_fatbin_entries(const SourceText& source);

/// The cubin or PTX of an entry; its file is named FILE:ARCHITECTURE. Throws InputError if the
/// entry is damaged, before allocating more memory than the payload can fill.
SourceText unpacked(const FatbinEntry& entry, const std::string& file);

}  // namespace shflsim::isa
