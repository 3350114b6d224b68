// SPDX-License-Identifier: Apache-2.0
#include "isa/base/out_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"
#include "isa/base/standard_output.h"

namespace shflsim::isa {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0666;  // less the umask
constexpr unsigned kMostLinks = 40;

[[noreturn]] void fail_at(const std::string& path, int error) {
  throw InputError({path}, std::string("cannot be written: ") + std::strerror(error) +
                               "; expected a file in a writable folder");
}

bool is_standard_output(const std::string& path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1";
}

/// The file that a chain of links ends at; it need not exist.
std::string behind_links(const std::string& path) {
  fs::path at = path;
  std::error_code error;
  for (unsigned i = 0; i < kMostLinks; ++i) {
    const fs::path next = fs::read_symlink(at, error);
    if (error) return at.string();
    at = at.parent_path() / next;
  }
  fail_at(path, ELOOP);
}

/// True for a pipe, a device, or a path that only this process can resolve.
bool is_written_in_place(const std::string& path) {
  struct stat status {};
  if (path.rfind("/dev/fd/", 0) == 0 || path.rfind("/proc/", 0) == 0) return true;
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

/// Names of files to remove if a signal ends the process; a signal handler can read them.
class Unfinished {
 public:
  void add(const std::string& name) {
    for (std::atomic<char*>& slot : names_) {
      char* none = nullptr;
      char* copy = strdup(name.c_str());
      if (slot.compare_exchange_strong(none, copy)) return;
      free(copy);
    }
  }
  void drop(const std::string& name) {
    for (std::atomic<char*>& slot : names_) {
      char* const there = slot.load();
      if (there == nullptr || name != there) continue;
      slot = nullptr;
      free(there);
    }
  }
  void remove_all() {
    for (const std::atomic<char*>& slot : names_) {
      if (slot.load() != nullptr) unlink(slot.load());
    }
  }

 private:
  std::array<std::atomic<char*>, 256> names_{};
};

Unfinished unfinished;

void remove_file(const std::string& name) {
  unlink(name.c_str());
  unfinished.drop(name);
}

/// A file of an OutFiles; the key in `group` is the file's target.
struct Waiting {
  std::string path;
  std::string written;  ///< "" until it is committed
  uint64_t size = 0;    ///< bytes, once committed
};
std::optional<std::map<std::string, Waiting>> group;

/// Throws InputError if the target is an input of the command, which must not be overwritten.
void refuse_input(const std::string& target, const std::string& path) {
  if (group && is_input(target))
    throw InputError({path}, "is an input of this command; expected another file");
}

void give_name(const std::string& written, const std::string& target, const std::string& path) {
  try {
    refuse_input(target, path);
  } catch (const InputError&) {
    remove_file(written);
    throw;
  }
  const int error = std::rename(written.c_str(), target.c_str()) == 0 ? 0 : errno;
  if (error != 0) remove_file(written);
  unfinished.drop(written);
  if (error != 0) fail_at(path, error);
}

}  // namespace

OutFile::OutFile(const std::string& path) : path_(path) {
  refuse_zero_bytes(path);
  StandardOutput* const output = StandardOutput::current();
  if (is_standard_output(path) && output != nullptr) {
    output->take();
    return;
  }
  if (is_standard_output(path) || is_written_in_place(path)) {
    descriptor_ = is_standard_output(path) ? dup(STDOUT_FILENO)
                                           : open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  target_ = behind_links(path);
  refuse_input(target_, path);
  const std::string key = fs::absolute(target_).lexically_normal().string();
  if (group && !group->emplace(key, Waiting{path, "", 0}).second)
    throw InputError({path}, "is asked for twice; expected a file for each output");
  open_beside();
}

OutFile::OutFile(OutFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      written_(std::move(other.written_)),
      descriptor_(other.descriptor_),
      size_(other.size_) {
  other.descriptor_ = -1;
}

OutFile::~OutFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (!written_.empty()) remove_file(written_);
}

/// Under a short name, which fits wherever the file's own does.
void OutFile::open_beside() {
  static unsigned number = 0;
  struct stat old {};
  const bool replaces = stat(target_.c_str(), &old) == 0;
  if (!replaces && errno != ENOENT) fail(errno);
  if (replaces && access(target_.c_str(), W_OK) != 0) fail(errno);
  const std::string name =
      ".shflsim." + std::to_string(getpid()) + "." + std::to_string(number++) + ".part";
  written_ = (fs::path(target_).parent_path() / name).string();
  descriptor_ = open(written_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (descriptor_ < 0) fail(errno);
  unfinished.add(written_);
  if (replaces) fchmod(descriptor_, old.st_mode & 07777);
}

void OutFile::write(std::string_view bytes) {
  size_ += bytes.size();
  if (descriptor_ < 0) return StandardOutput::current()->write(bytes);
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(errno);
    bytes.remove_prefix(static_cast<size_t>(done));
  }
}

void OutFile::commit() {
  if (descriptor_ < 0) return;
  const int error = close(descriptor_) == 0 ? 0 : errno;
  descriptor_ = -1;
  if (error != 0 && !written_.empty()) remove_file(written_);
  if (error != 0) fail(error);
  if (written_.empty()) return;
  if (!group) return give_name(written_, target_, path_);
  Waiting& waiting = group->at(fs::absolute(target_).lexically_normal().string());
  waiting.written = written_;
  waiting.size = size_;
}

void OutFile::finish(std::string_view bytes) {
  write(bytes);
  commit();
}

void OutFile::fail(int error) const { fail_at(path_, error); }

void write_file(const std::string& path, std::string_view content) {
  OutFile file(path);
  file.finish(content);
}

OutFiles::OutFiles() {
  group.emplace();
  forget_inputs();
}

OutFiles::~OutFiles() {
  for (const auto& [target, file] : *group) {
    if (!file.written.empty()) remove_file(file.written);
  }
  group.reset();
}

std::vector<OutFiles::Published> OutFiles::publish() {
  std::vector<Published> published;
  while (!group->empty()) {
    const auto next = group->extract(group->begin());
    const Waiting& file = next.mapped();
    if (file.written.empty()) continue;
    give_name(file.written, next.key(), file.path);
    published.push_back({file.path, file.size});
  }
  return published;
}

std::string written_name(const std::string& path) {
  if (!group || group->empty()) return path;
  const auto found = group->find(fs::absolute(behind_links(path)).lexically_normal().string());
  return found == group->end() || found->second.written.empty() ? path : found->second.written;
}

void remove_unfinished_files() { unfinished.remove_all(); }

}  // namespace shflsim::isa
