// SPDX-License-Identifier: Apache-2.0
// The page of a list of launches, each of which has a page of its own.
function launches() {
  const rows = data.launches.map((row, index) => ({ launch: index + 1, ...row }));
  const all = sum(rows.map(({ cycles }) => cycles)) || 1;
  const machines = [...new Set(rows.map(({ machine }) => machine))];
  const longest = rows.reduce((most, row) => (row.cycles > most.cycles ? row : most), rows[0]);
  head(`${show(rows.length)} launches`, `shflsim run ${data.list}`, `on ${machines.join(", ")}`);
  verdictLines([`longest: ${longest.kernel}: ${show(longest.cycles)} cycles, ${percent(longest.cycles / all)} of all`]);
  page.append(figures([["launches", rows.length], ["cycles", sum(rows.map(({ cycles }) => cycles))],
    ["warp instructions", sum(rows.map((row) => row.warp_instructions))], ["shuffle passes", sum(rows.map(({ passes }) => passes))]]));
  section("Launches", sortable([{ key: "launch", cell: (row) => make("a", { href: row.page }, String(row.launch)) },
    { key: "kernel", cell: (row) => make("a", { href: row.page }, row.kernel) }, { key: "name", wide: true }, { key: "machine" },
    { key: "cycles" }, { key: "share", head: "share of cycles", drawn: true, cell: ({ cycles }) => shareBar({ share: cycles / all }) },
    { key: "warp_instructions" }, { key: "passes" }, { key: "port_conflicts" }, { key: "register_conflicts" }], rows));
}
