// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's kernel traces, plain or .xz: alone, or in a list of them. If an input begins as a
// list, the bytes after a line "----" are the trace kernel-1.traceg next to it.
#include "tests/fuzz/harness.h"
#include "tests/fuzz/use_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  std::string_view bytes = fuzz::text_of(data, size);
  constexpr std::string_view kSeparator = "\n----\n";
  if (bytes.find(kSeparator) == std::string_view::npos) {
    fuzz::use_trace_file(fuzz::MemoryFile(bytes).path(), "traceg");
    return 0;
  }
  const std::string_view list = fuzz::take_part(&bytes, kSeparator);
  if (list.find('/') != std::string_view::npos) return 0;  // files of the machine itself
  static const fuzz::MemoryFolder folder;
  folder.write("kernel-1.traceg", bytes);
  fuzz::use_trace_file(folder.write("kernelslist.g", list), "kernelslist");
  return 0;
}
