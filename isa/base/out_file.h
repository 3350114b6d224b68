// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shflsim::isa {

/// A file that is written piece by piece and appears only when it is complete. The bytes go to a
/// temporary file in the folder of the file that `path` leads to (links are followed), which then
/// replaces that file. A pipe or a device is written in place; `-` is standard output. Throws
/// InputError with the path if writing fails.
class OutFile {
 public:
  explicit OutFile(const std::string& path);
  ~OutFile();  ///< removes what was not committed
  OutFile(OutFile&& other) noexcept;
  OutFile& operator=(OutFile&&) = delete;

  void write(std::string_view bytes);
  uint64_t size() const { return size_; }  ///< bytes so far
  /// Marks the file as complete. It gets its name now, or in OutFiles::publish() if there is an
  /// OutFiles.
  void commit();
  /// Writes the last bytes and marks the file as complete.
  void finish(std::string_view bytes);

 private:
  void open_beside();
  [[noreturn]] void fail(int error) const;

  std::string path_;
  std::string target_;   ///< the file that `path_` leads to; "" for standard output
  std::string written_;  ///< the name of the file while it is written
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

/// Writes a whole file.
void write_file(const std::string& path, std::string_view content);

/// The files of one command, which appear together: committed files keep their temporary names
/// until publish(), and are removed if this object is destroyed before. Two files of one name are
/// an InputError.
class OutFiles {
 public:
  OutFiles();
  OutFiles(const OutFiles&) = delete;
  OutFiles& operator=(const OutFiles&) = delete;
  ~OutFiles();

  struct Published {
    std::string path;
    uint64_t size = 0;  ///< bytes
  };
  /// Gives every file its name, and returns the files. Throws InputError.
  std::vector<Published> publish();
};

/// The current name of the file that this command has written to `path`; `path` if there is none.
std::string written_name(const std::string& path);

/// Removes the temporary files of unfinished files. May be called by the handler of a signal that
/// ends the process.
void remove_unfinished_files();

}  // namespace shflsim::isa
