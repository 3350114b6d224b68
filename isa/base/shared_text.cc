// SPDX-License-Identifier: Apache-2.0
#include "isa/base/shared_text.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace shflsim::isa {

SharedText::SharedText(std::string text) {
  auto held = std::make_shared<const std::string>(std::move(text));
  *this = SharedText(held, *held);
}

SharedText SharedText::of_file(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  const bool has_bytes = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const size_t size = has_bytes ? static_cast<size_t>(status.st_size) : 0;
  void* const bytes = size == 0 ? MAP_FAILED : mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0) close(file);
  if (bytes == MAP_FAILED) return {};
  const std::shared_ptr<const void> held(
      bytes, [size](const void* mapped) { munmap(const_cast<void*>(mapped), size); });
  return {held, {static_cast<const char*>(bytes), size}};
}

SharedText SharedText::part(size_t at, size_t size) const {
  if (at >= this->size()) return {};
  return {holder_, substr(at, size)};
}

}  // namespace shflsim::isa
