import shflsim

LAUNCH = dict(grid=4, block=256, arg=["file:table.bin", "file:keys.bin", "fill:128:00"])
points = shflsim.sweep("docs/tutorial/lookup.sm90.cubin.gz", **LAUNCH,
                       vary={"shuffle.network": ["crossbar", "half_inputs", "butterfly"]})
for network, cycles in zip(points["shuffle.network"], points["cycles"]):
    print(f"{network:12} {cycles}")
