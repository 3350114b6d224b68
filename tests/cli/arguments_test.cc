// SPDX-License-Identifier: Apache-2.0
// Kernel arguments: buffers by name, and structures that point to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace shflsim::cli {
namespace arguments_test {

/// Makes in.bin and pointer.bin, a structure's 8 bytes; reduce() runs a kernel (in, out, n).
constexpr const char* kScript = R"(
head -c 4096 /dev/zero | tr '\0' '\5' > in.bin
head -c 8 /dev/zero > pointer.bin
reduce() { $S run $T/kernels.sm50.sass --kernel reduce_xor --grid 4 --block 256 -q "$@" >/dev/null; }
)";

TEST(Argument, AStructurePointsToANamedBuffer) {
  const ProgramRun run = run_script(std::string(kScript) + R"(
reduce --arg file:in.bin --arg fill:4096:cd --arg u32:1024 --save 1:wanted.bin
reduce --buffer in=file:in.bin --buffer out=fill:8192:cd \
  --arg bytes:pointer.bin@0=in --arg bytes:pointer.bin@0=out+4096 --arg u32:1024 --save out:got.bin
cmp wanted.bin <(tail -c 4096 got.bin) && cmp <(head -c 4096 got.bin) <(head -c 4096 /dev/zero | tr '\0' '\315')
)");
  EXPECT_EQ(run.status, 0) << run.errors;
}

TEST(Argument, ANameIsPassedAgain) {
  const ProgramRun run = run_script(std::string(kScript) + R"(
reduce --arg file:in.bin --arg fill:4096:cd --arg u32:1024 --save 1:wanted.bin
reduce --arg both=file:in.bin --arg both --arg u32:1024 --save both:got.bin
cmp wanted.bin <(head -c 4096 got.bin)
)");
  EXPECT_EQ(run.status, 0) << run.errors;
}

TEST(Argument, ALaunchFileMakesBuffersForStructures) {
  const ProgramRun run = run_script(std::string(kScript) + R"(
reduce --arg file:in.bin --arg fill:4096:cd --arg u32:1024 --save 1:wanted.bin
cat > launch.ini <<END
code = $T/kernels.sm50.sass
[launch]
kernel = reduce_xor
grid = 4
block = 256
buffers = in=file:in.bin, out=fill:4096:cd
args = bytes:pointer.bin@0=in, out, u32:1024
expect = out:wanted.bin
END
$S run --launch launch.ini -q >/dev/null
)");
  EXPECT_EQ(run.status, 0) << run.errors;
}

TEST(Argument, ABufferIsPutAtTheAddressThatItsNameSays) {
  const ProgramRun run = run_script(std::string(kScript) + R"(
reduce --arg file:in.bin --arg fill:4096:cd --arg u32:1024 --save 1:wanted.bin
reduce --buffer in@0x900000000=file:in.bin --buffer out@0x880000200=fill:4096:cd \
  --arg u64:0x900000000 --arg out --arg u32:1024 --save out:got.bin
cmp wanted.bin got.bin
)");
  EXPECT_EQ(run.status, 0) << run.errors;
}

/// The buffer has table[2], scale and coefficients[4] of tests/data/nvcc/constants.cu.
constexpr const char* kConstants = R"(
printf '\x14\0\0\0\x09\0\0\0\x1c\0\0\0\x09\0\0\0\x02\0\0\0' > constants.bin
printf '\0\0\x20\x41\0\0\xa0\x41\0\0\xf0\x41\0\0\x20\x42' >> constants.bin
cat > launch.ini <<END
code = $T/../tests/data/nvcc/constants_debug.sm90.cubin.gz
[launch]
block = 2
buffers = c@0x900000000=file:constants.bin
args = out=fill:8:11, u32:1
constants = c
save = out:out.bin
END
)";

TEST(LaunchFile, TakesConstantsFromABufferThatCodeReadsByPointers) {
  const ProgramRun run = run_script(std::string(kConstants) + R"(
$S run --launch launch.ini -q >/dev/null
od -An -tf4 out.bin
)");
  EXPECT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(run.output, "              95             115\n");
}

TEST(LaunchFile, RefusesABufferThatIsTooSmallForTheVariables) {
  const ProgramRun run = run_script(std::string(kConstants) + R"(
truncate -s 35 constants.bin
$S run --launch launch.ini
)");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors,
            "launch.ini:2: buffer 'c' of 35 bytes; expected 36 at least, for variables\n");
}

struct Refusal {
  const char* name;
  const char* arguments;
  const char* message;
};

class ArgumentRefused : public testing::TestWithParam<Refusal> {};

TEST_P(ArgumentRefused, SaysWhatWasExpected) {
  const ProgramRun run = run_script(std::string(kScript) + "reduce " + GetParam().arguments + "\n");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors, std::string(GetParam().message) + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Each, ArgumentRefused,
    testing::Values(Refusal{"UnknownName", "--buffer input=fill:8:00 --arg inputs",
                            "--arg inputs: no buffer 'inputs'; did you mean 'input'?"},
                    Refusal{"NoNames", "--arg in",
                            "--arg in: no buffer 'in'; expected NAME=file:PATH or "
                            "NAME=fill:BYTES:HEX first"},
                    Refusal{"NoPlace", "--buffer in=fill:8:00 --arg bytes:pointer.bin@1=in",
                            "--arg bytes:pointer.bin@1=in: '1' is out of range; expected 0 to 0"},
                    Refusal{
                        "NoBuffer", "--arg bytes:pointer.bin@0=in",
                        "--arg bytes:pointer.bin@0=in: no buffer 'in'; expected NAME=file:PATH or "
                        "NAME=fill:BYTES:HEX first"},
                    Refusal{"Unfinished", "--arg bytes:pointer.bin@0",
                            "'0' is incomplete; expected --arg bytes:pointer.bin@0 @BYTE=NAME"},
                    Refusal{"NameTwice", "--buffer a=fill:8:00 --arg a=fill:8:00",
                            "--arg a=fill:8:00: buffer 'a' is there already; expected a new name"},
                    Refusal{"NoNameForABuffer", "--buffer fill:8:00",
                            "--buffer fill:8:00: names no buffer; expected NAME=file:PATH or "
                            "NAME=fill:BYTES:HEX"},
                    Refusal{"AddressOfAWindow", "--buffer a@0x1000=fill:8:00",
                            "--buffer a@0x1000=fill:8:00: a buffer of 8 bytes at address 0x1000; "
                            "expected one from 0x100000000 to 0xffffffffffff where no other buffer "
                            "is"},
                    Refusal{"AddressOfTheSharedWindow", "--buffer a@0x7efffffffffc=fill:8:00",
                            "--buffer a@0x7efffffffffc=fill:8:00: a buffer of 8 bytes at address "
                            "0x7efffffffffc; expected one outside the windows of shared memory, "
                            "from 0x7f0000000000 on, and local memory, from 0x7f0100000000 on"},
                    Refusal{"AddressInABuffer",
                            "--buffer a@0x900000000=fill:8:00 --buffer b@0x900000004=fill:8:00",
                            "--buffer b@0x900000004=fill:8:00: a buffer of 8 bytes at address "
                            "0x900000004; expected one from 0x100000000 to 0xffffffffffff where no "
                            "other buffer is"},
                    Refusal{"BufferOfAValue", "--buffer a=u32:8",
                            "--buffer a=u32:8: is no buffer; expected file: or fill:"}),
    [](const auto& each) { return each.param.name; });

/// Kernels of a launch file used to be timed on gm107, whatever they were compiled for.
TEST(LaunchFile, IsTimedOnTheMachineOfItsCode) {
  const ProgramRun run = run_script(R"(
cat > launch.ini <<END
code = $T/../tests/data/volta/c.sm90.cubin.gz
[launch]
kernel = reduce_xor
grid = 4
block = 256
args = fill:4096:05, fill:4096:cd, u32:1024
END
$S run --launch launch.ini -q --json out.json >/dev/null && cat out.json
)");
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(nlohmann::json::parse(run.output)["machine"]["name"], "gh100");
}

TEST(Argument, ALaunchFileHasTensorMapsWithSemicolons) {
  const ProgramRun run = run_script(R"(
gzip -dc $T/../tests/data/h100/hopper/warps.sm90.cubin.gz > warps.cubin
cat > launch.ini <<END
code = warps.cubin  ; a comment
[launch]
kernel = ring_of_three
block = 384
shared = 50176
buffers = a=fill:1327104:00
args = map:a;f32;1024x324;4096;32x128;128, out=fill:1327104:00  # another
END
$S run --launch launch.ini -q --json out.json >/dev/null && cat out.json
)");
  ASSERT_EQ(run.status, 0) << run.errors;
  EXPECT_EQ(nlohmann::json::parse(run.output)["kernel"], "ring_of_three");
}

TEST(Argument, ATensorMapIsMadeOfOneLine) {
  const ProgramRun run = run_script(R"(
gzip -dc $T/../tests/data/hopper/tensor.sm90a.cubin.gz > tensor.cubin
for map in f32,64x64,256,16x16 f33,64,packed,16,0 f32,64x64,100,16x16,0 f32,64x64,256,16,0 \
    f32,64x64,256,3x4,0 f32,64x64,256,64x4,128 f32,64x64,256,16x16,48 'f32;64x64;256;16x16;64'; do
  $S run tensor.cubin --kernel boxes --buffer in=fill:4096:00 --arg "map:in,$map" 2>&1 >/dev/null |
    sed 's/.*: //'
done
for place in in+16 in+8 0x700000010 0x700000001; do
  $S run tensor.cubin --kernel boxes --buffer in@0x700000000=fill:4096:00 \
    --arg "map:$place,f32,64x16,256,16x1,0" 2>&1 >/dev/null | sed 's/.*: //'
done
)");
  EXPECT_EQ(
      run.output,
      R"(expected map:BUFFER,TYPE,DIMS,STRIDES,BOX,SWIZZLE, such as map:in,bf16,256x64,512,64x64,128
type 'f33'; expected one of u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32ftz, tf32, tf32ftz
a stride of 100 bytes; expected a multiple of 16 below 2^40
'16' are 1 sizes; expected 2
rows of a box of 12 bytes; expected a multiple of 16
rows of a box of 256 bytes; expected 128 at most, the swizzle
swizzle '48'; expected 0, 32, 64 or 128
kernel 'boxes' takes 3 arguments, of 8, 8, 8 bytes; 1 given
kernel 'boxes' takes 3 arguments, of 8, 8, 8 bytes; 1 given
the address 0x700000008; expected a multiple of 16
kernel 'boxes' takes 3 arguments, of 8, 8, 8 bytes; 1 given
the address 0x700000001; expected a multiple of 16
)");
}

/// Structures and narrow numbers stand where PTX's types say, and all sizes are checked.
TEST(Argument, OfPtxStandsWhereItsDeclarationSays) {
  const ProgramRun run = run_script(R"(
printf '\1\0\0\0\2\0\0\0\3\0\0\0' > words.bin
printf '\5\6\7' > bytes.bin
printf '\11' > byte.bin
printf '\13\14' > half.bin
cat > k.ptx <<END
.version 8.0
.target sm_75
.visible .entry k(.param .u64 out, .param .u32 n, .param .align 4 .b8 s[12], .param .u8 c,
                  .param .align 1 .b8 t[3], .param .u16 h)
{
.reg .b64 %d<2>;
.reg .b32 %r<8>;
ld.param.u64 %d1,[out];
ld.param.u32 %r1,[n];
ld.param.u32 %r2,[s+8];
ld.param.u8 %r3,[c];
ld.param.u8 %r4,[t+2];
ld.param.u16 %r5,[h];
st.global.v4.u32 [%d1],{%r1,%r2,%r3,%r4};
st.global.u32 [%d1+16],%r5;
ret;
}
END
$S run k.ptx --block 1 --arg fill:20:00 --arg u32:77 --arg bytes:words.bin --arg bytes:byte.bin \
  --arg bytes:bytes.bin --arg bytes:half.bin --save 0:out.bin -q >/dev/null
od -An -v -tu4 out.bin
$S run k.ptx --block 1 --arg fill:20:00 --arg u32:77 --arg u64:1 --arg bytes:byte.bin \
  --arg bytes:bytes.bin --arg bytes:half.bin
$S run k.ptx --block 1 --arg fill:20:00 --arg u32:77
)");
  EXPECT_THAT(run.output, testing::HasSubstr("77          3          9          7"));
  EXPECT_THAT(run.output, testing::HasSubstr("3083"));
  EXPECT_THAT(run.errors, testing::HasSubstr("'u64:1' has 8 bytes; expected 12 for argument 2 of "
                                             "kernel 'k'"));
  EXPECT_THAT(run.errors, testing::HasSubstr("kernel 'k' takes 6 arguments"));
}

}  // namespace arguments_test
}  // namespace shflsim::cli
