/* SPDX-License-Identifier: Apache-2.0
 *
 * The document, the time that is left, and duels of the GPU with the CPU.
 */
#include "gpu/gpu.h"

bool gpu_is_late(const gpu_run *run) {
    return run->end > 0.0 && bench_seconds() > run->end;
}

cJSON *gpu_add_line(gpu_run *run, const char *input) {
    char name[64];
    cJSON *line = cJSON_CreateObject();
    bench_operand_name(name, sizeof name, input);
    fprintf(stderr, "gpu: %s\n", name);
    cJSON_AddStringToObject(line, "input", name);
    cJSON_AddItemToArray(run->lines, line);
    return line;
}

void gpu_save(gpu_run *run) {
    bench_set_number(run->document, "left_out", run->left_out);
    if (run->output != NULL && bench_write(run->document, run->output) != 0) run->failures++;
}

gbl_Info gpu_go_to(int place) {
    return gbl_Global_set_INT32(GBL_GLOBAL, place == 0 ? GBL_PLACE_GPU : GBL_PLACE_CPU, GBL_PLACE);
}

void gpu_fight(gpu_run *run, const gpu_duel *duel, void *context, cJSON *line) {
    static const char *const names[GPU_PLACES] = {"gpu", "cpu"};
    double seconds[GPU_PLACES][BENCH_MOST_NUMBER], medians[GPU_PLACES], done = 0.0;
    gbl_Info info = GBL_SUCCESS;
    bool agree = false;
    int rounds = -1; /* the first warms up; it counts where there is no time for another */
    if (!bench_is_chosen(&run->shared, duel->name)) return;
    while (rounds < run->shared.rounds && info == GBL_SUCCESS && !(gpu_is_late(run))) {
        for (int k = 0; k < GPU_PLACES && info == GBL_SUCCESS; k++) {
            info = gpu_go_to(k);
            const double start = bench_seconds();
            if (info == GBL_SUCCESS) info = duel->run(context, k);
            seconds[k][rounds < 0 ? 0 : rounds] = (bench_seconds() - start) / duel->runs;
        }
        rounds++;
    }
    if (rounds < 0 && info == GBL_SUCCESS) {
        run->left_out++;
        return;
    }
    if (info == GBL_SUCCESS) info = gpu_go_to(1);
    if (info == GBL_SUCCESS) info = duel->compare(context, &agree, &done);
    const bool failed = bench_failed(info, duel->name);
    cJSON *own = cJSON_AddObjectToObject(line, duel->name);
    cJSON_AddNumberToObject(own, "rounds", rounds);
    for (int k = 0; k < GPU_PLACES && !failed; k++) {
        medians[k] = bench_median(seconds[k], rounds > 0 ? rounds : 1);
        cJSON *at = cJSON_AddObjectToObject(own, names[k]);
        cJSON_AddNumberToObject(at, "seconds", medians[k]);
        cJSON_AddNumberToObject(at, duel->unit, done / medians[k]);
    }
    if (!failed) cJSON_AddNumberToObject(own, "speedup", medians[1] / medians[0]);
    if (!failed && !agree) fprintf(stderr, "gpu: %s: GPU and CPU differ\n", duel->name);
    cJSON_AddBoolToObject(own, "agree", agree);
    run->failures += failed || !agree;
    gpu_save(run);
}
