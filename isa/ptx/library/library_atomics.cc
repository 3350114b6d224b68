// SPDX-License-Identifier: Apache-2.0
// Atomic operations that SPA 5.0 lacks: compare and swap until no other thread has interfered.
#include "isa/ptx/library/library_text.h"

namespace shflsim::isa::ptx {
namespace {

const char* const kLoop = R"(
.func (.param .b@BITS@ d) atom@SPACE@.@OP@ (.param .b64 place, .param .b@BITS@ a) {
  .reg .pred p;
  .reg .b@BITS@ o, n;
  ld.volatile@SPACE@.b@BITS@ d, [place];
again:
  mov.b@BITS@ o, d;
  @DO@ n, o, a;
  atom@SPACE@.cas.b@BITS@ d, [place], o, n;
  setp.ne.s@BITS@ p, d, o;
  @p bra again;
}
.func red@SPACE@.@OP@ (.param .b64 place, .param .b@BITS@ a) {
  .reg .b@BITS@ d;
  atom@SPACE@.@OP@ d, [place], a;
}
)";

std::string loop(const std::string& space, const std::string& operation, const std::string& bits) {
  const std::string does =
      operation.compare(0, 3, "add") == 0 && operation.find('f') != std::string::npos
          ? "add.rn" + operation.substr(3)
          : operation;
  std::string text = filled(filled(kLoop, "SPACE", space), "OP", operation);
  return filled(filled(text, "DO", does), "BITS", bits);
}

}  // namespace

std::string library_of_atomics() {
  std::string text = loop(".shared", "add.f32", "32");
  for (const char* const space : {"", ".global", ".shared"}) text += loop(space, "add.f64", "64");
  for (const char* const operation : {"add.u64", "add.s64", "min.u64", "min.s64", "max.u64",
                                      "max.s64", "and.b64", "or.b64", "xor.b64"}) {
    text += loop(".shared", operation, "64");
  }
  return text;
}

}  // namespace shflsim::isa::ptx
