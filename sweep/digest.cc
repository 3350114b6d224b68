// SPDX-License-Identifier: Apache-2.0
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <fstream>
#include <vector>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"
#include "sweep/engine.h"

namespace shflsim::sweep {
namespace {

/// XXH3 with 128 bits of all added bytes.
class Digest {
 public:
  Digest() { XXH3_128bits_reset(&state_); }
  void add(const char* bytes, size_t size) { XXH3_128bits_update(&state_, bytes, size); }
  std::string text() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(&state_);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  XXH3_state_t state_;
};

void add_file(const std::string& path, Digest* digest) {
  std::ifstream file(isa::readable(path), std::ios::binary);
  std::vector<char> piece(1 << 16);
  uint64_t size = 0;
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())), file.gcount() > 0) {
    digest->add(piece.data(), static_cast<size_t>(file.gcount()));
    size += static_cast<uint64_t>(file.gcount());
  }
  if (!file.eof()) throw InputError({path}, "cannot be read; expected the file that was there");
  digest->add(reinterpret_cast<const char*>(&size), sizeof size);
}

}  // namespace

std::string digest_of(const std::string& text) {
  Digest digest;
  digest.add(text.data(), text.size());
  return digest.text();
}

std::string digest_of_files(const std::vector<std::string>& files) {
  Digest digest;
  for (const std::string& file : files) add_file(file, &digest);
  return digest.text();
}

}  // namespace shflsim::sweep
