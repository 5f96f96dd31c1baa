/* SPDX-License-Identifier: MIT */
/*
 * Phases of a C program.
 *
 *     cc phases.c -o phases $(pkg-config --cflags --libs libpmon)
 *     PMON_REGIONS=out ./phases; cat out/regions
 *     pmon --regions out -- ./phases
 *
 * With -DPMON_OFF it needs no library and records nothing.
 */
#include <pmon.h>
#include <stdio.h>
#include <stdlib.h>

/* The region ends with the scope, on every path out of it. */
static int
load(const char *path)
{
    PMON_REGION_SCOPE("LOAD");
    FILE *file = fopen(path, "r");

    if (!file)
        return -1;
    fclose(file);
    return 0;
}

static double
solve(int size)
{
    struct pmon_region region = pmon_region_begin("SOLVE");
    double *values = calloc((size_t)size, sizeof(*values));
    double sum = 0;

    for (int i = 0; values && i < size; i++)
        sum += values[i] = 1.0 / (i + 1);
    free(values);
    pmon_region_end(region);
    return sum;
}

int
main(void)
{
    struct pmon_regions_counts stats;

    PMON_REGION_SCOPE("MAIN");
    if (load("/nonexistent") != 0)
        printf("nothing loaded\n");
    printf("%.3f\n", solve(1000000));
    pmon_regions_stats(&stats);
    if (stats.lost > 0)
        fprintf(stderr, "%llu regions were not recorded\n",
                (unsigned long long)stats.lost);
    return 0;
}
