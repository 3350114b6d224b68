# SPDX-License-Identifier: Apache-2.0
import unittest

from tree import output_of


class Layers(unittest.TestCase):
    def test_an_include_of_a_floor_below_is_allowed(self):
        status, text = output_of("layers", {"model/run.h": '#include "isa/code/program.h"\n'})
        self.assertEqual((status, text), (0, "1 includes, none up and no circle\n"))

    def test_an_include_that_points_up_is_named_by_file_and_line(self):
        status, text = output_of("layers", {"traces/a.cc": '\n#include "model/run.h"\n'})
        self.assertEqual(status, 1)
        self.assertRegex(text, r"^traces/a\.cc:2: traces includes model/run\.h")

    def test_a_room_includes_only_rooms_below_it(self):
        status, text = output_of("layers", {
            "isa/CMakeLists.txt": "shflsim_rooms(isa\n  ROOMS base ptx/lines\n  LINK ZLIB::ZLIB)\n",
            "isa/ptx/lines/a.h": '#include "isa/base/a.h"\n',
            "isa/base/b.h": '#include "isa/ptx/lines/b.h"\n'})
        self.assertEqual(status, 1)
        self.assertEqual(text.splitlines()[0], "isa/base/b.h:1: isa/base includes isa/ptx/lines/b.h; "
                                               "expected only rooms below: isa/base <- isa/ptx/lines")

    def test_a_floor_includes_neither_tests_nor_bench(self):
        for other in ("tests", "bench"):
            status, _ = output_of("layers", {"cli/a.cc": f'#include "{other}/a.h"\n'})
            self.assertEqual(status, 1)

    def test_a_circle_of_folders_is_cut_where_the_fewest_includes_are(self):
        status, text = output_of("layers", {
            "model/mio/a.h": '#include "model/math/a.h"\n',
            "model/mio/b.h": '#include "model/math/a.h"\n',
            "model/math/c.h": '#include "model/core/a.h"\n',
            "model/core/a.h": '#include "model/mio/a.h"\n#include "model/mio/b.h"\n'})
        self.assertEqual((status, text.splitlines()),
                         (1, ["model/math/c.h:1: includes model/core/a.h, which closes the circle "
                              "model/core -> model/mio -> model/math -> model/core"]))

    def test_files_in_the_floor_itself_are_a_folder_too(self):
        status, text = output_of("layers", {"isa/a.h": '#include "isa/machine/b.h"\n',
                                            "isa/machine/b.h": '#include "isa/c.h"\n'})
        self.assertEqual(status, 1)
        self.assertIn("isa -> isa/machine -> isa", text)


if __name__ == "__main__":
    unittest.main()
