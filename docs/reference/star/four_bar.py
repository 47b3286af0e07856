import doppel_multibody

with doppel_multibody.World("profiles/worlds/star/four_bar.json") as world:
    world.step(1e-4, 10000)
    print(f"{world.time:.1f} s: {world.joint('four_bar:A').displacement:.6f} rad")
