// SPDX-License-Identifier: Apache-2.0
// The page of a program that ran on the model: its kernels and its launches.
const kShareWidth = 80;  // pixels for a share of 1

/** A share of all modelled time, as a bar and its number. */
function shareBar({ share }) {
  if (share === null) return "";
  const style = `display:inline-block;height:9px;width:${Math.round(kShareWidth * share)}px;background:var(--busy)`;
  return make("span", {}, make("i", { style }), ` ${percent(share)}`);
}

function exec() {
  const timed = data.launches.filter(({ microseconds }) => microseconds !== null);
  const all = sum(timed.map(({ microseconds }) => microseconds));
  const shared = (row) => ({ ...row, share: row.microseconds === null || !all ? null : row.microseconds / all });
  const share = { key: "share", head: "share of time", drawn: true, cell: shareBar };
  head(data.program[0].split("/").pop(), `shflsim exec -- ${data.program.join(" ")}`);
  const [longest] = data.kernels.map(shared).sort((a, b) => b.share - a.share);
  if (longest?.share) verdictLines([`longest: ${longest.name}: ${show(longest.microseconds)} us of ${show(all)} us, ${percent(longest.share)}`]);
  page.append(figures([["launches", data.launches.length], ["kernels", data.kernels.length],
    ["warp instructions", sum(data.launches.map((row) => row.warp_instructions))],
    ["cycles", timed.length ? sum(timed.map(({ cycles }) => cycles)) : null],
    ["modelled time (us)", timed.length ? all : null], ["launches without a time", data.launches.length - timed.length || null]]));
  section("Kernels", sortable([{ key: "name", head: "kernel", wide: true }, { key: "machine" }, { key: "launches" },
    { key: "warp_instructions" }, { key: "cycles" }, { key: "microseconds" }, share],
    data.kernels.map(shared)));
  const extent = (key) => ({ key, cell: (row) => row[key].join(",") });
  const hasFiles = data.launches.some((row) => row.launch_file);
  section("Launches", sortable([{ key: "launch" }, { key: "name", head: "kernel", wide: true }, extent("grid"), extent("block"),
    { key: "shared_bytes" }, { key: "warp_instructions" }, { key: "cycles" }, { key: "microseconds" }, share,
    ...(hasFiles ? [{ key: "launch_file" }] : []), { key: "remark", wide: true }],
    data.launches.map((row, index) => ({ launch: index + 1, ...shared(row) }))));
}
