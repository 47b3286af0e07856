/* @part world_test.c */

int main(int argc, char **argv)
{
    const struct dpl_sim_entry_class *const own[] = {&template_name_class, NULL};
    check(argc == 2, "usage: test_law WORLD");
    open_world(argv[1], &(struct dpl_sim_load_options){.entries = own});
    check(isnan(value_of("mast/tilt/lean")), "no measurement before the first step");
    dpl_world_step(world, 1);
    check(fabs(value_of("mast/tilt/lean") - DPL_PI / 6.0) < 1e-9, "it leans by 30 degrees");
    close_world();
    puts("law: passed");
    return 0;
}
