// SPDX-License-Identifier: Apache-2.0
#include "tests/support/scripts.h"

namespace shflsim::test {

std::string launch_file(const std::string& lines, const std::string& folder) {
  return "cp $T/scan_inclusive.sass " + folder + "/scan.sass\ncat >" + folder +
         "/l.ini <<end\ncode = scan.sass\n" + lines + "\nend\n";
}

std::string inputs_of_calls() {
  return "$S trace record $T/scan_inclusive.sass -o t.shft; $S trace convert t.shft -o t.traceg\n"
         "$S run $T/suite/fft_32.sass --json fft.json >/dev/null\n" +
         launch_file("[launch]");
}

const std::vector<std::string>& calls() {
  static const std::string region =
      "$T/../tests/data/h200/bench.sm90.cuobjdump.txt.gz --kernel lat_shfl_up_imm --region clock";
  static const std::vector<std::string> all = {
      "run $T/scan_inclusive.sass",
      "run t.shft",
      "run t.traceg",
      "run $T/../tests/data/accel_sim/kernelslist.g",
      "run " + region,
      "run --launch l.ini",
      "compare $T/scan_inclusive.sass",
      "compare t.shft",
      "compare t.traceg",
      "compare " + region,
      "diff fft.json fft.json",
      "check $T/scan_inclusive.sass",
      "verify $T/kernels.sm50.sass",
      "asm $T/scan_inclusive.sass -o -",
      "disasm $T/scan_inclusive.sass",
      "decode ef17007cf1070001",
      "encode EXIT",
      "explain 'SHFL.IDX PT, R1, R0, 5, 0x1f'",
      "lower '__shfl_down_sync(0xffffffff, v, 3, 8)'",
      "trace record $T/scan_inclusive.sass -o -",
      "trace record " + region + " -o -",
      "trace info t.shft",
      "trace info t.traceg",
      "trace dump t.shft",
      "trace dump t.traceg",
      "trace convert t.shft -o -",
      "trace convert t.traceg -o -",
      "list configs",
      "list config",
      "list modules",
      "list networks",
      "list policies",
      "list inputs",
      "list views",
      "list stats",
      "list schemas",
      "list kernels $T/scan_inclusive.sass",
  };
  return all;
}

}  // namespace shflsim::test
