// SPDX-License-Identifier: Apache-2.0
// Sources and destinations of commands: standard streams, pipes, full disks, links.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/support/scripts.h"

namespace shflsim::cli {
namespace streams_test {

/// The scan and the arguments with which every test here runs it.
const std::string kScan = "$T/scan_inclusive.sass --reg Rsum=1.0";

TEST(Streams, U3_6ThatAreDashesAreStandardInputAndOutput) {
  const ProgramRun run = run_script(
      "$S run - --reg Rsum=1.0 --json - <$T/scan_inclusive.sass >dash\n"
      "$S run " +
      kScan +
      " --json file >/dev/null\n"
      "sed -i -e s/scan_inclusive/-/ -e 's#\"input\": .*#\"input\": \"-\",#' file\n"
      "cmp file dash && ls");
  EXPECT_EQ(run.output, "dash\nfile\n") << run.errors;
  EXPECT_EQ(run.status, 0);
}

TEST(Streams, U3_6OfEveryKindMayBePipes) {
  const ProgramRun run = run_script(
      "code=$T/suite/bitonic_sort.sass\n"
      "$S trace record $code -o t.shft && $S trace convert t.shft -o t.traceg\n"
      "xz -k t.traceg && gzip -c $code >code.gz\n"
      "mkfifo fifo; cat $code >fifo &\n"
      "for input in t.shft t.traceg t.traceg.xz code.gz; do\n"
      "  $S run $input --json want >/dev/null\n"
      "  $S run <(cat $input) --json got >/dev/null || exit 1\n"
      "  for each in want got; do grep -vE '\"(kernel|input)\"' $each >$each.it; done\n"
      "  cmp want.it got.it || exit 1\n"
      "done\n"
      "named() { grep -vE '^  input: |: grid '; }\n"
      "$S run fifo | named | cmp - <($S run $code | named) || exit 1\n"
      "echo same");
  EXPECT_EQ(run.output, "same\n") << run.errors;
}

TEST(Streams, U3_6OfArgumentsAndConfigsMayBePipes) {
  const ProgramRun run = run_script(
      "printf '[shuffle]\\nlatency = 99\\n' | $S run " + kScan +
      " --config gm107 --config - --json - |"
      " grep -A1 '\"shuffle.latency\"' | grep -c 99\n"
      "printf 'RRRR' | $S run $T/suite/bitonic_sort.sass --arg bytes:- >/dev/null; echo $?\n"
      "printf 'code = '$T'/suite/bitonic_sort.sass\\n[launch]\\n' | $S run --launch - | head -1");
  EXPECT_EQ(run.output, "1\n0\nlaunch 1 of 1: bitonic_sort, grid 1,1,1, block 32,1,1\n")
      << run.errors;
}

TEST(Streams, A20OfStandardInputAreReadOnceHoweverOften) {
  const ProgramRun run = run_script(
      "cat " + kScan.substr(0, kScan.find(' ')) +
      " | $S compare - - --reg Rsum=1.0 --network crossbar --csv - | cut -d, -f1 | uniq -c");
  EXPECT_EQ(run.output.find("error"), std::string::npos);
  EXPECT_EQ(run.status, 0) << run.errors;
}

TEST(Streams, A20WithoutAnEndAreRefused) {
  const ProgramRun run = run_program("run /dev/zero");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors,
            "/dev/zero: is a device without an end; expected a file, a pipe or a terminal\n");
}

TEST(Streams, WhereAViewGoesToStandardOutputNothingElseDoes) {
  EXPECT_EQ(run_script("$S run " + kScan + " --csv - | head -c 7").output, "pc,text");
  EXPECT_EQ(run_script("$S run " + kScan + " --json /dev/stdout | head -c 2").output, "{\n");
  EXPECT_EQ(run_script("$S run " + kScan + " --dump-reg Rsum:- | wc -c").output, "128\n");
  EXPECT_EQ(run_script("$S check " + kScan + " --json - | tail -n 2").output,
            " \"findings\": []\n}\n");
  EXPECT_EQ(run_script("$S explain 'SHFL.IDX PT, R1, R0, 5, 0x1f' --svg - | head -c 4").output,
            "<svg");
  EXPECT_EQ(run_script("$S compare " + kScan + " --json - | head -c 1").output, "{");
}

TEST(Streams, TracesGoToStandardOutputToo) {
  const ProgramRun run = run_script("$S trace record " + kScan +
                                    " -o - | $S trace convert - -o x.traceg && "
                                    "$S trace info x.traceg | head -1");
  EXPECT_EQ(run.output, "format              traceg\n") << run.errors;
}

TEST(Streams, U14TwoOutputsOfOneNameAreRefusedBeforeAnyWork) {
  const ProgramRun files = run_script("ln -s a b; $S run " + kScan + " --json a --csv ./b; ls");
  EXPECT_EQ(files.errors, "./b: is asked for twice; expected a file for each output\n");
  EXPECT_EQ(files.output, "b\n");
  const ProgramRun dashes = run_script("$S compare " + kScan + " --json - --csv -");
  EXPECT_EQ(dashes.status, 2);
  EXPECT_EQ(dashes.errors, "standard output is asked for twice; expected '-' for one file alone\n");
}

TEST(Streams, A27AFullDiskIsStatusTwoAndOneLineOfEveryCommand) {
  std::vector<std::string> calls = test::calls();
  for (const char* more : {"--help", "--version", "accuracy --help", "check --help", "trace --help",
                           "run t.shft --json -", "check $T/scan_inclusive.sass --json -"})
    calls.emplace_back(more);
  std::string script = test::inputs_of_calls();
  for (const std::string& call : calls) script += "$S -q " + call + " >/dev/full; echo $? >&2\n";
  std::string expected;
  for (size_t i = 0; i < calls.size(); ++i)
    expected += "standard output: cannot be written: No space left on device\n2\n";
  EXPECT_EQ(run_script(script).errors, expected);
}

TEST(Streams, U3_7AClosedOutputIsStatusTwo) {
  const ProgramRun run = run_script("$S run " + kScan + " --json j >&-; echo $? >&2; ls >&2");
  EXPECT_EQ(run.errors, "standard output: cannot be written: Bad file descriptor\n2\n");
}

TEST(Streams, U16AReaderThatLeavesIsQuietAndLeavesTheFiles) {
  const ProgramRun run =
      run_script("$S run " + kScan + " --json j | true; echo ${PIPESTATUS[0]}; ls");
  EXPECT_TRUE(run.output == "141\nj\n" || run.output == "0\nj\n") << run.output;
  EXPECT_EQ(run.errors, "");
}

TEST(Streams, A33WithStatusTwoNoneOfSeveralOutputsStays) {
  const std::string call =
      "$S run $T/scan_inclusive.sass --arg fill:64:00 --save 0:saved --json j ";
  for (const char* last : {"--csv no/folder", "--csv /dev/full", "--csv c >/dev/full"}) {
    const ProgramRun run =
        run_script("echo old >j; " + call + last + "; echo $? >&2; ls -A >&2; cat j >&2");
    const size_t end = run.errors.find('\n');
    EXPECT_EQ(run.errors.substr(end + 1), "2\nj\nold\n") << last << run.errors;
    EXPECT_EQ(run.output, "") << last;
  }
}

/// No command makes folders: a mistyped name would make a tree of them.
TEST(Streams, OutputInAFolderThatIsNotThereIsRefusedByEveryOption) {
  const std::string scan = "run $T/scan_inclusive.sass ";
  const std::string compare = "compare $T/scan_inclusive.sass ";
  const std::string check = "check $T/scan_inclusive.sass ";
  const std::string record = "trace record $T/scan_inclusive.sass ";
  for (const std::string& call :
       {scan + "--json no/x", scan + "--csv no/x", scan + "--view konata:no/x",
        scan + "--dump-reg Rsum:no/x", scan + "--arg fill:64:00 --save 0:no/x",
        scan + "--log-file no/x", compare + "--json no/x", compare + "--csv no/x",
        check + "--json no/x", check + "--dump-reg Rsum:no/x", record + "-o no/x",
        record + "-o x --dump-reg Rsum:no/x", std::string("trace convert t.shft -o no/x.shft"),
        std::string("asm $T/scan_inclusive.sass -o no/x"),
        std::string("explain 'SHFL.IDX PT, R1, R0, 5, 0x1f' --svg no/x"),
        std::string("run --launch l.ini"), std::string("run --launch d/l.ini --json no/x"),
        std::string("run $T/../tests/data/accel_sim/kernelslist.g -q --json no/x")}) {
    const ProgramRun run =
        run_script("mkdir d; " + test::inputs_of_calls() + test::launch_file("[launch]", "d") +
                   test::launch_file("[launch]\nargs = b=fill:64:00\nsave = b:no/x") +
                   "ls -A >before; $S " + call + "; echo $? >&2; ls -A | diff - before >&2");
    EXPECT_THAT(run.errors, testing::MatchesRegex("[^\n]*no/x[^\n]*: cannot be written[^\n]*; "
                                                  "expected a file[^\n]*\n2\n"))
        << call;
    EXPECT_EQ(run.output, "") << call;
  }
}

TEST(Streams, A33ALaunchFileWhoseLaterLaunchFailsLeavesNothing) {
  const ProgramRun run = run_script(
      test::launch_file("[launch]\nargs = b=fill:64:00\nsave = b:one\n[launch]\nargs = nothing") +
      "$S run --launch l.ini --json j; ls -A >&2");
  EXPECT_EQ(run.output, "");
  EXPECT_NE(run.errors.find("l.ini:5: args nothing: no buffer 'nothing'"), std::string::npos)
      << run.errors;
  EXPECT_EQ(run.errors.substr(run.errors.find('\n') + 1), "l.ini\nscan.sass\n");
}

TEST(Streams, WhatOneLaunchSavesTheNextMayRead) {
  const ProgramRun run =
      run_script(test::launch_file("[launch]\nargs = b=fill:64:07\nsave = b:one\n"
                                   "[launch]\nargs = c=file:one\nexpect = c:want") +
                 "head -c 64 /dev/zero | tr '\\0' '\\7' >want; $S run --launch l.ini | tail -1");
  EXPECT_EQ(run.output, "launch 2: c equals want\n") << run.errors;
}

TEST(Streams, A28ThroughALinkTheOldFileIsKeptOnAFullDisk) {
  const ProgramRun run = run_script(
      "mkdir d; echo old >d/file; ln -s d/file link; chmod 640 d/file\n"
      "$S run " +
      kScan +
      " --json link >/dev/full 2>/dev/null; cat d/file; ls -A d\n"
      "$S run " +
      kScan +
      " --json link >/dev/null; head -c 1 d/file; readlink link\n"
      "stat -c %a d/file");
  EXPECT_EQ(run.output, "old\nfile\n{d/file\n640\n") << run.errors;
}

TEST(Streams, A28ALinkToItselfIsAnErrorWithItsName) {
  const ProgramRun run = run_script("ln -s loop loop; $S run " + kScan + " --json loop");
  EXPECT_EQ(run.errors,
            "loop: cannot be written: Too many levels of symbolic links"
            "; expected a file in a writable folder\n");
}

TEST(Streams, A9WhatTheSystemRefusesIsOneLineAndStatusTwo) {
  const std::string name(300, 'a');
  const std::string in_it = "ln -sf loop loop.sass; ln -sf loop.sass loop; ";
  for (const std::string& call :
       {std::string("run loop.sass"), std::string("disasm loop.sass"),
        std::string("check loop.sass"), std::string("verify loop.sass"),
        std::string("compare loop.sass"), std::string("asm loop.sass -o x"),
        std::string("trace record loop.sass -o x"), std::string("trace info loop.sass"),
        std::string("list kernels loop.sass"), std::string("accuracy loop.sass loop.sass"),
        std::string("run --launch loop.sass"), "run " + kScan + " --arg file:loop",
        "run " + kScan + " --arg file:" + name, "run " + kScan + " --arg file:/proc/self/mem",
        "run " + kScan + " --config ./loop", "run " + name, "run " + kScan + " --json " + name,
        "run " + kScan + " --config /" + name}) {
    const ProgramRun run = run_script(in_it + "$S " + call);
    EXPECT_EQ(run.status, 2) << call;
    EXPECT_EQ(run.output, "") << call;
    EXPECT_EQ(run.errors.find('\n'), run.errors.size() - 1) << call << "\n" << run.errors;
    EXPECT_EQ(run.errors.find("internal error"), std::string::npos) << call << run.errors;
  }
}

TEST(Streams, A9ATemporaryFolderThatIsNotThereIsNamed) {
  const ProgramRun run = run_script("cat $T/scan_inclusive.sass | TMPDIR=/nonexistent $S run -");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.errors,
            "/nonexistent: no temporary file there: No such file or directory"
            "; expected TMPDIR to name a writable folder\n");
}

TEST(Streams, U3_8A11MemoryThatCannotBeHadIsOneLineAndStatusTwo) {
  if (has_sanitizer()) GTEST_SKIP() << "needs a limit of memory";
  for (const char* more : {"--grid 2147483647", "--arg fill:4294967296:00"}) {
    const ProgramRun run = run_script("ulimit -v 400000; $S run " + kScan + " " + more);
    EXPECT_EQ(run.status, 2) << more;
    EXPECT_EQ(run.errors.find('\n'), run.errors.size() - 1) << run.errors;
    EXPECT_EQ(run.output, "");
  }
}

TEST(Streams, A29ALaunchLineWritesNoFile) {
  const ProgramRun run = run_script(
      "(echo '// launch: --dump-reg R1:written'; cat $T/scan_inclusive.sass) >x.sass\n"
      "$S run x.sass >&2; echo $? >&2; ls -A");
  EXPECT_EQ(run.output, "x.sass\n");
  EXPECT_EQ(run.errors,
            "x.sass: its launch line: unrecognised option '--dump-reg'; expected options of "
            "'shflsim run' that say what to launch\n2\n");
}

TEST(Streams, A29ALaunchFileSavesInItsOwnFolderAlone) {
  const std::string saving = "[launch]\nargs = b=fill:64:00\nsave = b:";
  for (const char* path : {"/tmp/elsewhere", "../elsewhere", "a/../../elsewhere", "-"}) {
    const ProgramRun run = run_script(test::launch_file(saving + path) + "$S run --launch l.ini");
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.errors,
              "l.ini:2: save to '" + std::string(path) +
                  "'; expected a file in the launch file's folder, or --save-anywhere\n");
  }
  const ProgramRun allowed = run_script("mkdir d\n" + test::launch_file(saving + "../there", "d") +
                                        "$S run --launch d/l.ini --save-anywhere >/dev/null; ls");
  EXPECT_EQ(allowed.output, "d\nthere\n") << allowed.errors;
}

TEST(Streams, ALaunchFileSavesInItsOwnFolderAloneThroughLinksToo) {
  const ProgramRun run = run_script(R"(mkdir in elsewhere; ln -s ../elsewhere in/link
    ln -s ../elsewhere/x.bin in/x.bin; cp $T/kernels.sm50.sass in
    for to in link/x.bin x.bin ../x.bin; do
      printf 'code = kernels.sm50.sass\n[launch]\nkernel = broadcast\ngrid = 4\nblock = 256\n' >in/l.ini
      echo "args = fill:4096:5a, out=fill:4096:cd, u32:1024" >>in/l.ini
      echo "save = out:$to" >>in/l.ini
      $S run --launch in/l.ini -q >/dev/null; echo $?
    done; ls elsewhere)");
  EXPECT_EQ(run.output, "2\n2\n2\n") << run.errors;
}

TEST(Streams, AnOutputIsNeverAnInput) {
  const ProgramRun run = run_script(R"(cp $T/suite/fft_32.sass a.sass; ln a.sass b.sass
    printf '\0\0\0\0' >w.bin
    $S run a.sass --json a.sass -q; echo $?
    $S run a.sass --csv b.sass -q; echo $?
    $S run a.sass --log-file a.sass -v; echo $?
    $S asm a.sass -o a.sass; echo $?
    $S trace record a.sass -o ./a.sass; echo $?
    cmp a.sass $T/suite/fft_32.sass; ls)");
  EXPECT_EQ(run.output, "2\n2\n2\n2\n2\na.sass\nb.sass\nw.bin\n") << run.errors;
  EXPECT_EQ(run.errors.substr(0, run.errors.find('\n')),
            "a.sass: is an input of this command; expected another file");
}

TEST(Streams, NamesReachATerminalWithoutControlCharacters) {
  const ProgramRun run = run_script(R"sh(n=$(printf 'e\033[31m\nx.sass')
    cp $T/suite/fft_32.sass "$n"
    $S run "$n" -q | head -1
    $S compare "$n" --config gm107 -q | grep -c "$(printf '\033')")sh");
  EXPECT_EQ(run.output, "e\\x1b[31m\\nx: grid 1, block 256, 8 warps\n0\n") << run.errors;
}

TEST(Streams, U16ResponseFilesHoldArguments) {
  const ProgramRun run = run_script(
      "printf -- '--reg Rsum=1.0\\n--set \"shuffle.network=banked\"\\n' >words\n"
      "$S run $T/scan_inclusive.sass @words --max-cycles 9 | head -1\n"
      "echo list networks | $S @- | head -c 5; echo; $S encode '@P0 EXIT'\n"
      "printf @words >nested; $S run @nested; $S run -- @words");
  EXPECT_EQ(run.output,
            "partial: stopped by --max-cycles after 9 cycles\nbanke\ne30000000000000f\n")
      << run.errors;
}

TEST(Streams, U16TwoDashesEndTheOptions) {
  const ProgramRun run =
      run_script("cp $T/scan_inclusive.sass ./--reg; $S run -- --reg | head -1; $S run --reg");
  EXPECT_EQ(run.output.substr(0, 5), "--reg") << run.errors;
  EXPECT_EQ(run.status, 2);
}

TEST(Streams, U13AreTheSameBytesWhateverTheSurroundings) {
  const std::string call =
      "$S run $T/suite/fft_32.sass --json j$n --csv c$n >o$n\n"
      "$S compare $T/suite/fft_32.sass $T/suite/bitonic_sort.sass --network all --jobs $jobs "
      ">p$n\n$S list config >q$n; $S disasm $T/suite/fft_32.sass >r$n\n";
  const ProgramRun run = run_script(
      "n=1 jobs=1\n" + call +
      "export LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 TZ=Asia/Kathmandu COLUMNS=40 HOME=/ TMPDIR=$PWD\n"
      "umask 077; n=2 jobs=3\n" +
      call +
      "for each in j c o p q r; do cmp ${each}1 ${each}2 && echo same; done; stat -c %a j1 j2");
  EXPECT_EQ(run.output, "same\nsame\nsame\nsame\nsame\nsame\n644\n600\n") << run.errors;
}

TEST(Streams, A35AnEmptyNameOfTheConfigFolderIsNone) {
  const ProgramRun run =
      run_script("SHFLSIM_CONFIGS= $S list configs | wc -l; $S list configs | wc -l");
  EXPECT_EQ(run.output.substr(0, run.output.size() / 2), run.output.substr(run.output.size() / 2));
  EXPECT_NE(run.output.substr(0, 2), "0\n");
}

}  // namespace streams_test
}  // namespace shflsim::cli
