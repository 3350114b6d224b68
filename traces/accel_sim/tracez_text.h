// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <zstd.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traces/accel_sim/text_source.h"

namespace shflsim::traces {

/// Reads numbers and bytes of a file from an offset to an end. Throws InputError beyond the end.
class PlacedBytes {
 public:
  PlacedBytes(const SourceFile& file, uint64_t place, uint64_t end)
      : file_(file), place_(place), end_(end) {}

  void go_to(uint64_t place);
  uint64_t place() const { return place_ - (known_.size() - taken_); }
  uint64_t left() const { return end_ - place(); }
  uint32_t u32() { return static_cast<uint32_t>(number(4)); }
  uint64_t u64() { return number(8); }
  /// The next bytes, 1 to `most`, not beyond the end; valid until the next call.
  std::string_view some(uint64_t most);

 private:
  uint64_t number(unsigned bytes);
  void fill();

  const SourceFile& file_;
  uint64_t place_;  ///< offset after the bytes in `known_`
  uint64_t end_;
  std::vector<char> known_;  ///< read ahead
  size_t taken_ = 0;
};

/// Accel-Sim's compressed kernel trace. The file has the header's text and a zero byte; u32 size of
/// a zstd dictionary in bytes, u32 instructions per chunk, the dictionary; for each warp u32
/// instructions, u32 chunks, and for each chunk u32 bytes and a zstd frame of lines; an index of
/// blocks and warps, and in the last 8 bytes its offset. Delivers the text of the .traceg with the
/// same content, in the order of the index, in pieces of a chunk.
class TracezText final : public TextSource {
 public:
  /// `first`: the beginning of the file with the whole header. Throws InputError if the data around
  /// the chunks are damaged.
  TracezText(std::unique_ptr<SourceFile> file, std::string_view first);

  size_t read(char* to, size_t size, unsigned line) override;

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  void take_dictionary(uint64_t place);
  void find_index();
  bool go_on();
  void begin_block();
  void begin_warp();
  void begin_chunk();
  void end_chunk();
  size_t decompress(char* to, size_t size);
  [[noreturn]] void fail(const std::string& what) const;

  const std::unique_ptr<SourceFile> file_;
  std::string text_;  ///< text outside the chunks, delivered from text_at_ on
  size_t text_at_ = 0;
  uint64_t data_begin_ = 0;
  uint64_t index_place_ = 0;
  std::unique_ptr<PlacedBytes> index_;
  std::unique_ptr<PlacedBytes> data_;
  uint32_t blocks_left_ = 0;
  uint32_t warps_left_ = 0;
  uint32_t chunks_left_ = 0;
  uint32_t warp_ = 0;  ///< number of the block's next warp
  bool in_block_ = false;
  bool in_chunk_ = false;
  uint64_t compressed_left_ = 0;  ///< bytes of the chunk's frame that are not read yet
  ZSTD_inBuffer compressed_{};
  char last_ = '\n';  ///< last letter of the chunk so far
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
};

/// True if a file with this beginning is a .tracez.
bool begins_as_tracez(std::string_view first);

}  // namespace shflsim::traces
