// SPDX-License-Identifier: Apache-2.0
#include "isa/base/readable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "isa/base/input_error.h"
#include "isa/base/out_file.h"

namespace shflsim::isa {
namespace {

constexpr size_t kPiece = 1 << 16;
constexpr const char* kStandardInput = "-";

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw InputError({path}, what);
}

/// Owns a file descriptor and closes it.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  int number() const { return number_; }

 private:
  const int number_;
};

/// The number of bytes read; 0 at the end of the stream.
size_t read_some(int from, const std::string& path, char* piece, size_t size) {
  ssize_t got = 0;
  do {
    got = read(from, piece, size);
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail(path, std::string("cannot be read: ") + std::strerror(errno));
  return static_cast<size_t>(got);
}

void write_all(int to, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t done = write(to, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw InputError(std::string("a temporary file: ") + std::strerror(errno));
    bytes += done;
    size -= static_cast<size_t>(done);
  }
}

/// The stream's bytes in a file without a name. It stays open as long as the process lives.
std::string spooled(int from, const std::string& path, bool is_device) {
  const int file = nameless_file();
  std::string piece(kPiece, '\0');
  while (const size_t got = read_some(from, path, piece.data(), piece.size())) {
    if (is_device) fail(path, "is a device without an end; expected a file, a pipe or a terminal");
    write_all(file, piece.data(), got);
  }
  return name_of_descriptor(file);
}

bool is_standard_input(const std::string& path) {
  return path == kStandardInput || path == "/dev/stdin" || path == "/dev/fd/0" ||
         path == "/proc/self/fd/0";
}

/// The name of standard input, or of a copy of its rest if it is no file or was read in part.
std::string readable_input() {
  struct stat status {};
  const bool is_whole_file = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
                             lseek(STDIN_FILENO, 0, SEEK_CUR) == 0;
  if (is_whole_file) return name_of_descriptor(STDIN_FILENO);
  const bool is_device = S_ISCHR(status.st_mode) && isatty(STDIN_FILENO) == 0;
  return spooled(STDIN_FILENO, kStandardInput, is_device);
}

std::string readable_stream(const std::string& path) {
  const Descriptor stream(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (stream.number() < 0) return path;
  struct stat status {};
  const bool is_device = fstat(stream.number(), &status) == 0 && S_ISCHR(status.st_mode) &&
                         isatty(stream.number()) == 0;
  return spooled(stream.number(), path, is_device);
}

bool is_stream(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

using FileSet = std::set<std::pair<dev_t, ino_t>>;  // devices and numbers on them

FileSet& inputs() {
  static FileSet all;
  return all;
}

FileSet& outputs() {
  static FileSet all;
  return all;
}

std::optional<FileSet::key_type> file_at(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  return FileSet::key_type{status.st_dev, status.st_ino};
}

/// A file that this command has not written itself.
void note_input(const std::string& path) {
  const auto file = file_at(path);
  if (!file) return;
  if (outputs().count(*file) != 0)
    fail(path, "is an output of this command too; expected another file");
  inputs().insert(*file);
}

}  // namespace

OpenedFiles* OpenedFiles::current_ = nullptr;

std::string readable(const std::string& path) {
  refuse_zero_bytes(path);
  if (OpenedFiles::current_ != nullptr) {
    std::vector<std::string>& paths = OpenedFiles::current_->paths_;
    if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  }
  static std::map<std::string, std::string> names;  // by path, of inputs read already
  const std::string key = is_standard_input(path) ? kStandardInput : path;
  const auto known = names.find(key);
  if (known != names.end()) return known->second;
  if (key == kStandardInput) return names[key] = readable_input();
  if (is_stream(path)) return names[key] = readable_stream(path);
  std::string written = written_name(path);
  if (written == path) note_input(path);
  return written;
}

bool is_input(const std::string& path) {
  const auto file = file_at(path);
  return file && inputs().count(*file) != 0;
}

void forget_inputs() { inputs().clear(); }

void reserve_for_output(const std::string& path) {
  if (const auto file = file_at(path)) outputs().insert(*file);
}

void refuse_zero_bytes(const std::string& path) {
  if (path.find('\0') != std::string::npos)
    fail(path, "has a zero byte in its name; expected the name of a file");
}

std::string read_bytes(const std::string& path, const std::string& expected, uint64_t most) {
  const std::string behind = "; expected " + expected;
  const Descriptor file(open(readable(path).c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || fstat(file.number(), &status) != 0)
    fail(path, std::strerror(errno) + behind);
  if (S_ISDIR(status.st_mode)) fail(path, "is a folder" + behind);
  std::string bytes;
  std::string piece(kPiece, '\0');
  while (const size_t got = read_some(file.number(), path, piece.data(), piece.size())) {
    bounded(bytes.size() + got, most, "a file", {path}, "bytes or more");
    bytes.append(piece, 0, got);
  }
  return bytes;
}

std::string temporary_folder() {
  const char* chosen = std::getenv("TMPDIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
}

int nameless_file() {
  const std::string folder = temporary_folder();
  int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = folder + "/shflsim.XXXXXX";  // for file systems without nameless files
  file = mkostemp(name.data(), O_CLOEXEC);
  if (file < 0)
    fail(folder, std::string("no temporary file there: ") + std::strerror(errno) +
                     "; expected TMPDIR to name a writable folder");
  unlink(name.c_str());
  return file;
}

std::string name_of_descriptor(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace shflsim::isa
