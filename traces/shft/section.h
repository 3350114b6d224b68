// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "traces/shft/bytes.h"

namespace shflsim::traces {

/// A .shft file has a preamble, sections and a tail; traces/FORMAT.md describes every byte.
constexpr uint32_t kShftVersion = 3;  ///< the version that is written and read
constexpr char kShftMagic[] = "\x89SHFT\r\n\x1a";
constexpr size_t kMagicBytes = 8;
constexpr size_t kPreambleBytes = 16;     ///< magic, version, CRC-32
constexpr size_t kSectionHeadBytes = 16;  ///< kind, stored bytes, raw bytes, CRC-32
constexpr size_t kTailBytes = 16;         ///< offset of the index, tail magic, CRC-32
constexpr uint32_t kMostRawBytes = 1u << 26;
constexpr uint32_t kMostStepBytes = 1u << 20;     ///< raw bytes of a section of steps
constexpr uint32_t kMostSegmentBytes = 1u << 16;  ///< raw bytes of a warp's segment
constexpr uint64_t kMostWarps = 1u << 21;         ///< warps of a trace; bounds a reader's memory
constexpr uint64_t kMostLines = 1u << 19;  ///< lines of the code; bounds the memory of an open warp

enum class SectionKind : uint32_t {
  kProgram = 0x474F5250,  ///< "PROG"
  kSteps = 0x50455453,    ///< "STEP"
  kIndex = 0x58444E49,    ///< "INDX"
};

std::string preamble_bytes();
std::string tail_bytes(uint64_t index_offset);
/// The section with its head, compressed if that makes it smaller. Throws InputError if it is too
/// large for readers.
std::string section_bytes(SectionKind kind, const std::string& raw);

/// A file that is read in pieces, in any order.
class PieceFile {
 public:
  /// Throws InputError if the file cannot be opened.
  explicit PieceFile(const std::string& path);
  ~PieceFile();
  PieceFile(const PieceFile&) = delete;
  PieceFile& operator=(const PieceFile&) = delete;

  uint64_t size() const { return size_; }
  Place place(uint64_t offset) const { return {&path_, offset}; }
  /// Throws InputError, with the offset, if the file is too short.
  std::string read(uint64_t offset, size_t size) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

/// The first bytes of a file, as many as looks_like_shft() needs; fewer if it is shorter.
std::string beginning_of(const std::string& path);
/// True for content that begins like a trace file; one byte may be damaged.
bool looks_like_shft(const std::string& beginning);
/// The file's version. Throws InputError for an unknown one and for a damaged preamble.
uint32_t read_preamble(const PieceFile& file);
/// Offset of the index section. Throws InputError if the tail is damaged or missing.
uint64_t index_offset(const PieceFile& file);

/// The content of a section, checked and decompressed; `end` receives the offset after it.
std::string read_section(const PieceFile& file, uint64_t offset, SectionKind kind, uint64_t* end);

}  // namespace shflsim::traces
