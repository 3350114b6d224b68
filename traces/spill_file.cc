// SPDX-License-Identifier: Apache-2.0
#include "traces/spill_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"

namespace shflsim::traces {
namespace {

constexpr size_t kKept = 4 << 20;

[[noreturn]] void fail(const std::string& what) {
  throw InputError({isa::temporary_folder()},
                   what + "; expected a folder with room, or another in TMPDIR");
}

}  // namespace

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

uint64_t SpillFile::append(const std::string& bytes) {
  if (recent_.size() + bytes.size() > kKept) spill();
  recent_ += bytes;
  return spilled_ + recent_.size() - bytes.size();
}

std::string SpillFile::read(uint64_t offset, size_t size) const {
  if (offset >= spilled_) return recent_.substr(offset - spilled_, size);
  std::string bytes(size, '\0');
  for (size_t done = 0; done < size;) {
    const ssize_t got =
        pread(descriptor_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("a temporary file cannot be read back: " + std::string(strerror(errno)));
    done += static_cast<size_t>(got);
  }
  return bytes;
}

void SpillFile::spill() {
  if (descriptor_ < 0) descriptor_ = isa::nameless_file();
  for (size_t done = 0; done < recent_.size();) {
    const ssize_t put = write(descriptor_, recent_.data() + done, recent_.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("a temporary file cannot be written: " + std::string(strerror(errno)));
    done += static_cast<size_t>(put);
  }
  spilled_ += recent_.size();
  recent_.clear();
}

}  // namespace shflsim::traces
