/* @part world_test.c */

static void put(const char *path, double value)
{
    check(dpl_world_channels_put(channels, channel_of(path), &value) == 0, path);
}

int main(int argc, char **argv)
{
    const struct dpl_sim_entry_class *const own[] = {&template_name_class, NULL};
    check(argc == 2, "usage: test_law WORLD");
    open_world(argv[1], &(struct dpl_sim_load_options){.entries = own});
    put("shaft/rail/command", 1.0);
    dpl_world_step(world, 2000);
    check(fabs(value_of("shaft/rail/velocity") + 9.80665 / 20.0) < 1e-3, "it falls at m g / d");
    put("shaft/rail/command", 0.0);
    dpl_world_step(world, 500);
    check(value_of("shaft/rail/velocity") < -4.0, "without a command it falls freely");
    dpl_world_channels_release(channels, channel_of("shaft/rail/command"));
    dpl_world_step(world, 2000);
    check(value_of("shaft/rail/velocity") > -0.6, "released, it brakes");
    close_world();
    puts("law: passed");
    return 0;
}
