// SPDX-License-Identifier: Apache-2.0
// Fat binaries, as fatbinary and nvcc write them, alone or inside an object file or a program: a
// header, then an entry for each architecture with a cubin or PTX as its payload. The layout is
// what fatbinary 13.0 writes for known cubins.
#include <algorithm>
#include <cstring>
#include <set>

#include "isa/bounded.h"
#include "isa/reader/source.h"

namespace shflsim::isa {
namespace {

constexpr const char kMagic[] = "\x50\xed\x55\xba\x01\x00";  // 0xba55ed50, version 1

struct FatHeader {
  uint32_t magic;
  uint16_t version;
  uint16_t header_bytes;
  uint64_t body_bytes;
};

struct EntryHeader {
  static constexpr uint16_t kCubin = 2;
  uint16_t kind;
  uint16_t version;
  uint32_t header_bytes;
  uint64_t payload_bytes;
  uint32_t compressed_bytes;
  uint32_t unused;
  uint16_t minor;
  uint16_t major;
  uint32_t sm;
};

/// One entry of a fat binary: what it holds, and where the payload stands in the file.
struct Entry {
  uint16_t kind = 0;
  unsigned sm = 0;
  std::string payload;

  bool runs() const { return kind == EntryHeader::kCubin && sm >= 50 && sm < 70; }
  bool compressed() const { return payload.compare(0, 4, "\177ELF") != 0; }
  std::string name() const {
    return (kind == EntryHeader::kCubin ? "sm_" : "compute_") + std::to_string(sm);
  }
};

template <class Header>
bool read_at(const std::string& text, size_t at, Header* header) {
  if (at > text.size() || text.size() - at < sizeof *header) return false;
  std::memcpy(header, text.data() + at, sizeof *header);
  return true;
}

class Fatbin final : public Source {
 public:
  explicit Fatbin(const SourceText& source) : file_(source.file) {
    read_entries(source.text);
    std::string names;
    for (const Entry& entry : entries_) {
      names += (names.empty() ? "" : ", ") + entry.name();
      if (entry.runs()) open_cubin(entry);
    }
    if (cubins_.empty()) {
      throw InputError(
          {file_},
          "holds " + (names.empty() ? "no code" : names) +
              "; expected a cubin of sm_50 to sm_62, or PTX as a file of its own (nvcc -ptx)");
    }
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    std::set<std::string> known;
    for (const auto& cubin : cubins_) {
      for (const std::string& name : cubin->kernels()) {
        if (known.insert(name).second) names.push_back(name);
      }
    }
    return names;
  }

  /// Of a kernel that is there for several architectures, the first.
  Program program(const std::string& kernel) const override {
    for (const auto& cubin : cubins_) {
      const std::vector<std::string> names = cubin->kernels();
      if (std::find(names.begin(), names.end(), kernel) != names.end()) {
        return cubin->program(kernel);
      }
    }
    throw InputError({file_}, "no kernel '" + kernel + "'" + suggestion(kernel, kernels()));
  }

 private:
  void read_entries(const std::string& text) {
    const std::string magic(kMagic, sizeof kMagic - 1);
    size_t behind = 0;
    for (size_t at = text.find(magic); at != std::string::npos; at = text.find(magic, behind)) {
      behind = at + 1;
      FatHeader header;
      if (!read_at(text, at, &header)) continue;
      const uint64_t body = at + header.header_bytes;
      if (!fits(body, header.body_bytes, text.size())) continue;
      behind = std::max(behind, body + header.body_bytes);
      read_body(text, body, body + header.body_bytes);
    }
  }

  void read_body(const std::string& text, size_t at, size_t end) {
    EntryHeader header;
    while (at < end && read_at(text, at, &header)) {
      const uint64_t size = sum_of(header.header_bytes, header.payload_bytes);
      if (header.header_bytes < sizeof header || !fits(at, size, text.size())) {
        throw InputError({file_}, "the fat binary is cut off at byte " + std::to_string(at) +
                                      "; expected a whole one");
      }
      entries_.push_back(
          {header.kind, header.sm,
           text.substr(at + header.header_bytes, static_cast<size_t>(header.payload_bytes))});
      at += size;
    }
  }

  void open_cubin(const Entry& entry) {
    if (entry.compressed()) {
      throw InputError({file_}, "the cubin for " + entry.name() +
                                    " is compressed; extract it with: cuobjdump -xelf " +
                                    entry.name() + " " + file_);
    }
    cubins_.push_back(Dialects::named("cubin").open({file_, entry.payload}));
  }

  std::string file_;
  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<Source>> cubins_;
};

bool recognises(const SourceText& source) {
  return source.text.find(std::string(kMagic, sizeof kMagic - 1)) != std::string::npos;
}
std::unique_ptr<Source> open(const SourceText& source) { return std::make_unique<Fatbin>(source); }

const bool registered =
    Dialects::add({"fatbin", "fat binary, or a program with one in it", recognises, open, 11});

}  // namespace
}  // namespace shflsim::isa
