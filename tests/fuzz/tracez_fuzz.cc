// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's compressed kernel traces. An input with a zero byte is such a file; any other is the
// text of a trace and is compressed first, because changed frames seldom get past zstd.
#include "tests/fuzz/harness.h"
#include "tests/fuzz/use_trace.h"
#include "tests/support/tracez.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace shflsim;
  constexpr size_t kChunkLines = 3;
  const std::string_view bytes = fuzz::text_of(data, size);
  const bool is_text = bytes.find('\0') == std::string_view::npos;
  const std::string file = is_text ? test::packed_tracez(bytes, kChunkLines) : std::string(bytes);
  fuzz::use_trace_file(fuzz::MemoryFile(file).path(), "traceg");
  return 0;
}
