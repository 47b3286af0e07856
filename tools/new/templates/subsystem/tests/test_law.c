/* @part world_test.c */

static void put(const char *path, double value)
{
    check(dpl_world_channels_put(channels, channel_of(path), &value) == 0, path);
}

int main(int argc, char **argv)
{
    const struct dpl_subsystem_class *const own[] = {&template_name_class, NULL};
    check(argc == 2, "usage: test_law WORLD");
    open_world(argv[1], &(struct dpl_sim_load_options){.subsystems = own});
    double area = DPL_PI * 0.25, hole = 1e-4, empty = area / hole * sqrt(2.0 / 9.80665);
    dpl_world_step(world, (unsigned)(0.5 * empty / 0.1));
    check(fabs(value_of("boiler/level") - 0.25) < 1e-4, "half of the time: a quarter is left");
    put("boiler/hole", 0.0);
    put("boiler/inflow", 1.0);
    dpl_world_step(world, 1000);
    double level = 0.25 + 100.0 * 0.002 / area;
    check(fabs(value_of("boiler/level") - level) < 1e-3, "its pump gives what it can");
    close_world();
    puts("law: passed");
    return 0;
}
