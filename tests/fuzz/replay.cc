// SPDX-License-Identifier: Apache-2.0
// Replaces libFuzzer if a compiler has none: calls the target once with each named file and each
// file in a named folder, within five seconds and 1 GiB.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeconds = 5;
constexpr rlim_t kBytes = rlim_t{1} << 30;

std::vector<std::string> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path.string()};
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::cout << path << std::endl;  // the last printed path is the one that fails
  alarm(kSeconds);
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  alarm(0);
}

}  // namespace

int main(int argc, char** argv) {
  const rlimit most = {kBytes, kBytes};
  setrlimit(RLIMIT_AS, &most);
  for (int i = 1; i < argc; ++i) {
    for (const std::string& path : files_of(argv[i])) replay(path);
  }
  return 0;
}
