# SPDX-License-Identifier: Apache-2.0
import subprocess
import unittest
from pathlib import Path

from tree import output_of


def function(name, lines, row="  f(1);\n"):
    return f"void {name}() {{\n{row * (lines - 2)}}}\n"


def class_of(data, functions):
    members = "".join(f"  int d{i}_ = 0;\n" for i in range(data))
    return "class A {\n" + "".join(f"  void f{i}();\n" for i in range(functions)) + members + "};\n"


# One file that has one of each kind of extension.
EXTENSIONS = {"configs/all.txt": 'half_inputs greedy_then_youngest "fatbin" "kernelslist" "csv", "a row '
                                 "engines/kubernetes.cc undefined_reads tu102 VSETP LDSM"}


class Measures(unittest.TestCase):
    def check(self, text, more=None):
        return output_of("measures", {"isa/a.cc": text, **EXTENSIONS, **(more or {})},
                         before=["--top"], after=["--check"])

    def test_functions_and_classes_at_their_limits_pass(self):
        self.assertEqual(self.check(function("f", 20) + class_of(25, 30))[0], 0)

    def test_a_function_above_fifty_lines_is_named(self):
        many = "".join(function(f"g{i}", 3) for i in range(40))
        self.assertEqual(self.check(many + function("f", 50))[0], 0)
        status, text = self.check(many + function("f", 51))
        self.assertEqual((status, text),
                         (1, "isa/a.cc:121: f has 51 lines; expected 50 at most\n"))

    def test_a_table_may_be_longer(self):
        many = "".join(function(f"g{i}", 3) for i in range(40))
        self.assertEqual(self.check(many + function("rows", 90, row='  {"a;b", 1},\n'))[0], 0)

    def test_functions_that_are_long_together_are_told_by_their_p95(self):
        status, text = self.check("".join(function(f"g{i}", 21) for i in range(3)))
        self.assertEqual((status, text),
                         (1, "the p95 of functions is 21 lines; expected 20 at most\n"))

    def test_a_class_above_its_limits_is_named(self):
        for data, functions in ((26, 1), (2, 31)):
            self.assertEqual(self.check(class_of(data, functions)),
                             (1, f"isa/a.cc:1: A has {data} data members and {functions} functions;"
                                 " expected 25 and 30 at most\n"))

    def test_a_record_has_a_limit_of_its_own(self):
        self.assertEqual(self.check(class_of(30, 0))[0], 0)
        self.assertEqual(self.check(class_of(31, 0)),
                         (1, "isa/a.cc:1: A has 31 members; expected 30 at most\n"))

    def test_a_folder_above_its_limit_is_named(self):
        files = {f"model/shuffle/{number}.h": "" for number in range(56)}
        self.assertEqual(self.check("", files), (1, "model/shuffle has 56 files; expected 55 at most\n"))

    def test_f3_a_type_name_that_stands_twice_in_a_namespace_is_named(self):
        text = "namespace shflsim::isa {\nstruct Source { int a; };\n}\n"
        self.assertEqual(self.check("", {"isa/a.h": text, "isa/b.h": text}),
                         (1, "isa/b.h:2: shflsim::isa::Source is already the type at isa/a.h:2; "
                             "expected one type of each name\n"))
        hidden = "namespace shflsim::isa {\nnamespace {\nstruct Source { int a; };\n}\n}\n"
        self.assertEqual(self.check("", {"isa/a.h": text, "isa/b.cc": hidden})[0], 0)

    def test_f4_an_operation_of_sm70_is_found_by_the_name_that_its_code_has(self):
        files = {f"isa/{name}.cc": "Op::kSm70_LDSM" for name in "bcd"}
        self.assertIn("one opcode, sm_70+ takes 4 files", self.check("", files)[1])

    def test_constants_are_no_members(self):
        constants = "".join(f"  static constexpr int kC{i} = 0;\n" for i in range(26))
        self.assertEqual(self.check(class_of(2, 2).replace("};", constants + "};"))[0], 0)

    def test_an_extension_that_takes_more_files_than_its_recipe_is_named_with_them(self):
        two = {"model/a.cc": "kVSETP", "docs/a.cc": "VSETP", "tests/a.cc": "VSETP"}
        self.assertEqual(self.check("", two)[0], 0)
        status, text = self.check("", {**two, "model/b.cc": "VSETP, xVSETP"})
        self.assertEqual((status, text),
                         (1, "one opcode, SPA 5.0 takes 3 files, model/a.cc, model/b.cc, "
                             "configs/all.txt; expected 2 at most\n"))

    def test_results_that_a_script_has_written_are_not_what_an_extension_touches(self):
        results = {f"configs/{name}.json": '{"network": "benes_copy"}' for name in "abc"}
        self.assertEqual(self.check("", results)[0], 0)

    def test_f5_the_top_of_the_tree_has_no_results(self):
        files = subprocess.run(["git", "ls-files"], cwd=Path(__file__).resolve().parents[2], check=True,
                               text=True, stdout=subprocess.PIPE).stdout.split()
        self.assertEqual({name for name in files if "/" not in name},
                         {".clang-format", ".clang-tidy", ".gitignore", "CMakeLists.txt", "CMakePresets.json",
                          "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md"})

    def test_a_longer_name_is_another(self):
        others = {f"model/{letter}.cc": "half_inputs_wide" for letter in "abc"}
        self.assertEqual(self.check("", others)[0], 0)

    def test_an_extension_that_is_gone_has_to_be_replaced(self):
        self.assertEqual(self.check("", {"configs/all.txt": EXTENSIONS["configs/all.txt"][11:]}),
                         (1, "no file names 'half_inputs', which stands for one network\n"))


if __name__ == "__main__":
    unittest.main()
