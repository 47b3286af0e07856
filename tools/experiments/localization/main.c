#include "trial.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct trial t;
        struct trial_result r;
        trial_init(&t);
        t.world = argv[1];
        t.faults.value[0] = 0.97;
        t.faults.value[1] = 1.02;
        t.faults.value[2] = 1.02;
        trial_run(&t, seed, &r);
        printf("%.1f mm max %.1f  %.3f deg nees %.3f nis %.2f inside %zu/%zu map %.1f agree %.3f %.0f us\n", r.rms_m * 1e3,
               r.max_m * 1e3, r.rms_rad * 180 / 3.14159, r.nees, r.nis, r.n_inside, r.n, r.map_error_m * 1e3,
               r.agreement, r.scan_us);
        for (int i = 0; i < 9; i++) {
            printf(" %.5f(%.5f)@%.0f", r.parameter_error[i], r.calibration.sigma[i], r.reached_s[i]);
        }
        printf("\n");
    }
}
