// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/tracez_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/input_error.h"
#include "isa/base/work.h"
#include "traces/accel_sim/traceg.h"

namespace shflsim::traces {
namespace {

constexpr size_t kAhead = 1 << 15;
constexpr uint64_t kPlaceBytes = 8;  // size of the index's offset at the end of the file

[[noreturn]] void fail_damaged(const std::string& path, const std::string& what) {
  throw InputError({path}, "damaged: " + what + "; expected a whole .tracez");
}

}  // namespace

void PlacedBytes::go_to(uint64_t place) {
  place_ = place;
  known_.clear();
  taken_ = 0;
}

void PlacedBytes::fill() {
  const size_t wanted = static_cast<size_t>(std::min<uint64_t>(kAhead, end_ - place_));
  known_.resize(wanted);
  known_.resize(file_.read_at(place_, known_.data(), wanted));
  if (known_.empty()) fail_damaged(file_.path(), "cut off");
  place_ += known_.size();
  taken_ = 0;
}

std::string_view PlacedBytes::some(uint64_t most) {
  if (taken_ == known_.size()) fill();
  const size_t size = static_cast<size_t>(std::min<uint64_t>(most, known_.size() - taken_));
  const std::string_view bytes(known_.data() + taken_, size);
  taken_ += size;
  return bytes;
}

uint64_t PlacedBytes::number(unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i)
    value |= uint64_t{static_cast<unsigned char>(some(1)[0])} << (8 * i);
  return value;
}

bool begins_as_tracez(std::string_view first) {
  return looks_like_traceg(first) && first.find('\0') != std::string_view::npos;
}

TracezText::TracezText(std::unique_ptr<SourceFile> file, std::string_view first)
    : file_(std::move(file)), context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw InputError({file_->path()}, "cannot be decompressed: no memory");
  const size_t end = first.find('\0');
  text_ = std::string(first.substr(0, end)) + "\n";
  take_dictionary(end + 1);
  find_index();
}

void TracezText::fail(const std::string& what) const { fail_damaged(file_->path(), what); }

void TracezText::take_dictionary(uint64_t place) {
  PlacedBytes bytes(*file_, place, file_->size());
  const uint64_t size = bytes.u32();
  bytes.u32();  // instructions of a chunk, which the index has too
  if (size > bytes.left()) fail("its dictionary is longer than the file");
  std::string dictionary;
  while (dictionary.size() < size) dictionary += bytes.some(size - dictionary.size());
  data_begin_ = bytes.place();
  if (ZSTD_isError(ZSTD_DCtx_loadDictionary(context_.get(), dictionary.data(), size)) != 0)
    fail("its dictionary is not a zstd dictionary");
}

void TracezText::find_index() {
  const uint64_t size = file_->size();
  if (size < data_begin_ + kPlaceBytes) fail("it has no index");
  PlacedBytes end(*file_, size - kPlaceBytes, size);
  index_place_ = end.u64();
  if (index_place_ < data_begin_ || index_place_ > size - kPlaceBytes)
    fail("its index is not in the file");
  index_ = std::make_unique<PlacedBytes>(*file_, index_place_, size - kPlaceBytes);
  data_ = std::make_unique<PlacedBytes>(*file_, data_begin_, index_place_);
  blocks_left_ = index_->u32();
}

size_t TracezText::read(char* to, size_t size, unsigned /*line*/) {
  size_t done = 0;
  while (done < size) {
    const size_t copied = std::min(size - done, text_.size() - text_at_);
    std::copy_n(text_.data() + text_at_, copied, to + done);
    text_at_ += copied;
    done += copied;
    if (done == size) break;
    if (in_chunk_) {
      done += decompress(to + done, size - done);
    } else if (!go_on()) {
      break;
    }
  }
  return done;
}

/// Goes to the next text or chunk after the end of the last one; false at the end of the file.
bool TracezText::go_on() {
  text_.clear();
  text_at_ = 0;
  if (chunks_left_ != 0) {
    begin_chunk();
  } else if (warps_left_ != 0) {
    begin_warp();
  } else if (in_block_) {
    text_ = "\n#END_TB\n";
    in_block_ = false;
  } else if (blocks_left_ != 0) {
    begin_block();
  } else {
    if (index_->left() != 0) fail("more follows its index");
    return false;
  }
  return true;
}

void TracezText::begin_block() {
  --blocks_left_;
  in_block_ = true;
  warp_ = 0;
  uint32_t numbers[10];  // block, its cluster, its place there (x, y, z each); its rank
  for (uint32_t& number : numbers) number = index_->u32();
  warps_left_ = index_->u32();
  const auto extent = [&numbers](size_t at) {
    return fmt::format("{},{},{}", numbers[at], numbers[at + 1], numbers[at + 2]);
  };
  text_ = fmt::format(
      "\n#BEGIN_TB\n\nthread block = {}\ncluster id = {}\ncluster cta = {}\ncluster rank = {}\n",
      extent(0), extent(3), extent(6), numbers[9]);
}

/// The data of a warp follow those of the warp before it.
void TracezText::begin_warp() {
  --warps_left_;
  const uint32_t instructions = index_->u32();
  chunks_left_ = index_->u32();
  const uint64_t place = index_->u64();
  uint64_t sum = 0;
  for (uint32_t i = 0; i < chunks_left_; ++i) sum += index_->u32();
  if (sum != instructions) fail("its index counts a warp's instructions twice, and differs");
  if (place < data_->place() || place > index_place_) fail("its index names a warp out of place");
  data_->go_to(place);
  if (data_->u32() != instructions || data_->u32() != chunks_left_)
    fail("a warp is not as its index says");
  tell_work(place, file_->size(), "bytes");
  text_ = fmt::format("\nwarp = {}\ninsts = {}\n", warp_++, instructions);
}

void TracezText::begin_chunk() {
  --chunks_left_;
  compressed_left_ = data_->u32();
  if (compressed_left_ > data_->left()) fail("a chunk is longer than the file");
  ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
  compressed_ = {};
  last_ = '\n';
  in_chunk_ = true;
}

/// Chunks have no line end after their last line.
void TracezText::end_chunk() {
  if (compressed_left_ != 0 || compressed_.pos != compressed_.size)
    fail("more follows a chunk's frame");
  in_chunk_ = false;
  if (last_ != '\n') text_ = "\n";
}

size_t TracezText::decompress(char* to, size_t size) {
  ZSTD_outBuffer out{to, size, 0};
  while (out.pos != out.size) {
    if (compressed_.pos == compressed_.size && compressed_left_ != 0) {
      const std::string_view bytes = data_->some(compressed_left_);
      compressed_left_ -= bytes.size();
      compressed_ = {bytes.data(), bytes.size(), 0};
    }
    const size_t before = out.pos + compressed_.pos;
    const size_t state = ZSTD_decompressStream(context_.get(), &out, &compressed_);
    if (ZSTD_isError(state) != 0) fail("a chunk cannot be decompressed");
    if (out.pos != 0) last_ = to[out.pos - 1];
    if (state == 0) {
      end_chunk();
      break;
    }
    if (out.pos + compressed_.pos == before) fail("a chunk is cut off");
  }
  return out.pos;
}

}  // namespace shflsim::traces
