// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tracez.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/support/files.h"

namespace shflsim::test {
namespace {

constexpr int kLevel = 3;

std::string little_endian(uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}
std::string u32(size_t value) { return little_endian(value, 4); }

struct PackedWarp {
  std::vector<std::string> lines;
};
struct PackedBlock {
  std::array<uint32_t, 10> numbers{};
  std::vector<PackedWarp> warps;
};

/// Stores the numbers of "thread block = 1,2,3" in `to`.
void take_numbers(const std::string& line, uint32_t* to) {
  for (const std::string& part : fields_of(line.substr(line.find('=') + 2), ','))
    *to++ = static_cast<uint32_t>(std::strtoul(part.c_str(), nullptr, 10));
}

std::string compressed(const std::string& text, const std::string& dictionary) {
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                   ZSTD_freeCCtx);
  std::string bytes(ZSTD_compressBound(text.size()), '\0');
  const size_t size =
      ZSTD_compress_usingDict(context.get(), bytes.data(), bytes.size(), text.data(), text.size(),
                              dictionary.data(), dictionary.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw std::runtime_error("zstd cannot compress a chunk");
  bytes.resize(size);
  return bytes;
}

std::vector<PackedBlock> blocks_of(const std::vector<std::string>& lines, size_t at) {
  std::vector<PackedBlock> blocks;
  const auto begins = [&lines, &at](const char* with) { return lines[at].rfind(with, 0) == 0; };
  for (; at < lines.size(); ++at) {
    if (lines[at].empty() || begins("#END") || begins("insts =")) continue;
    if (begins("#BEGIN")) {
      blocks.emplace_back();
    } else if (blocks.empty()) {
      continue;
    } else if (begins("thread block =")) {
      take_numbers(lines[at], &blocks.back().numbers[0]);
    } else if (begins("cluster id =")) {
      take_numbers(lines[at], &blocks.back().numbers[3]);
    } else if (begins("cluster cta =")) {
      take_numbers(lines[at], &blocks.back().numbers[6]);
    } else if (begins("cluster rank =")) {
      take_numbers(lines[at], &blocks.back().numbers[9]);
    } else if (begins("warp =")) {
      blocks.back().warps.emplace_back();
    } else if (!blocks.back().warps.empty()) {
      blocks.back().warps.back().lines.push_back(lines[at]);
    }
  }
  return blocks;
}

/// Adds a warp's chunks to the file, and their sizes to the index.
void add_warp(const PackedWarp& warp, size_t chunk_lines, const std::string& dictionary,
              std::string* file, std::string* index) {
  const size_t lines = warp.lines.size();
  const size_t chunks = (lines + chunk_lines - 1) / chunk_lines;
  *index += u32(lines) + u32(chunks) + little_endian(file->size(), 8);
  *file += u32(lines) + u32(chunks);
  for (size_t first = 0; first < lines; first += chunk_lines) {
    const size_t end = std::min(first + chunk_lines, lines);
    std::string text;
    for (size_t i = first; i < end; ++i) text += (i == first ? "" : "\n") + warp.lines[i];
    const std::string frame = compressed(text, dictionary);
    *file += u32(frame.size()) + frame;
    *index += u32(end - first);
  }
}

}  // namespace

std::string packed_tracez(std::string_view traceg, size_t chunk_lines,
                          const std::string& dictionary) {
  const size_t body = std::min(traceg.find("#BEGIN_TB"), traceg.size());
  std::string file(traceg.substr(0, body));
  file += '\0' + u32(dictionary.size()) + u32(chunk_lines) + dictionary;
  const std::vector<PackedBlock> blocks = blocks_of(lines_of(std::string(traceg.substr(body))), 0);
  std::string index = u32(blocks.size());
  for (const PackedBlock& block : blocks) {
    for (const uint32_t number : block.numbers) index += u32(number);
    index += u32(block.warps.size());
    for (const PackedWarp& warp : block.warps)
      add_warp(warp, chunk_lines, dictionary, &file, &index);
  }
  const size_t place = file.size();
  return file + index + little_endian(place, 8);
}

}  // namespace shflsim::test
