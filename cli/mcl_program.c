/* SPDX-License-Identifier: Apache-2.0
 *
 * The program under the name mcl or gblite-mcl: options as of the program mcl of S. van Dongen,
 * which pipelines for families of proteins call, become those of `gblite mcl`. Options that change
 * no cluster are accepted; others that are not known are refused.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    const char *name, *as; /* as: of gblite mcl; NULL: it changes no cluster here */
    bool flag;             /* has no argument */
    const char *only;      /* the one argument that is accepted; NULL: any */
} Option;

static const Option options[] = {
    {"-I", "--inflation", false, NULL},
    {"-o", "--output", false, NULL},
    {"-te", "--threads", false, NULL},
    {"-t", "--threads", false, NULL},
    {"-p", "--prune", false, NULL},
    {"-P", "--precision", false, NULL},
    {"-S", "--select", false, NULL},
    {"-R", "--recover", false, NULL},
    {"-pct", "--pct", false, NULL},
    {"-L", "--steps", false, NULL},
    {"--abc", "--abc", true, NULL},
    {"-V", NULL, false, NULL},
    {"-v", NULL, false, NULL},
    {"-q", NULL, false, NULL},
    {"-annot", NULL, false, NULL},
    {"-digits", NULL, false, NULL},
    {"-sparse", NULL, false, NULL},
    {"-warn-pct", NULL, false, NULL},
    {"-warn-factor", NULL, false, NULL},
    {"-dump-stem", NULL, false, NULL},
    {"-show-log", NULL, false, NULL},
    {"-analyze", NULL, false, NULL},
    {"--show-log=y", NULL, true, NULL},
    {"--show-log=n", NULL, true, NULL},
    {"--analyze=y", NULL, true, NULL},
    {"--analyze=n", NULL, true, NULL},
    {"-overlap", NULL, false, "cut"},
    {"-sort", NULL, false, "revsize"},
    {"-c", NULL, false, "1"},
    {"-l", NULL, false, "0"},
    {"-force-connected", NULL, false, "n"},
};
enum { OPTIONS = sizeof options / sizeof *options };

static const char usage[] =
    "usage: gblite-mcl FILE [--abc] [-I R] [-o FILE] [-te N] [-V all] ...\n"
    "The program mcl by gblite: FILE, or - for stdin, has edges (--abc) or a matrix in mcl's "
    "form.\n"
    "Clusters go to FILE of -o, as labels or a matrix, or to out.FILE.I20 at inflation 2.\n"
    "-I -o -te -t -p -P -S -R -pct -L -scheme --abc are as in mcl, and -V all mutes. These change "
    "nothing:\n"
    "-v -q -annot -digits -sparse -warn-pct -warn-factor -dump-stem -show-log -analyze.\n"
    "`gblite mcl --help' has more.\n";

typedef struct {
    char **argv; /* of gblite mcl */
    int n;
    const char *file, *output, *inflation;
    bool quiet, abc;
} Call;

/* The name that mcl gives: inflation 1.4 is I14, 2 is I20. */
static char *name_output(const Call *call) {
    const char *slash = strrchr(call->file, '/'), *base = slash ? slash + 1 : call->file;
    const double inflation = call->inflation ? strtod(call->inflation, NULL) : 2;
    const size_t size = strlen(base) + 32;
    char *name = malloc(size);
    if (name) snprintf(name, size, "out.%s.I%d", base, (int)(10 * inflation + .5));
    return name;
}

static int refuse(const char *what, const char *why) {
    fprintf(stderr, "gblite: gblite-mcl %s: %s\n", what, why);
    return CLI_BAD_USAGE;
}

static int add(Call *call, const Option *o, char *name, char *argument) {
    if (!o->flag && !argument) return refuse(name, "an argument is missing");
    if (o->only && strcmp(argument, o->only) != 0)
        return refuse(name, "gblite does no more than what mcl does without this option");
    if (!strcmp(o->name, "-V")) call->quiet |= !strcmp(argument, "all");
    if (!strcmp(o->name, "-I")) call->inflation = argument;
    if (!strcmp(o->name, "-o")) call->output = argument;
    if (!strcmp(o->name, "--abc")) call->abc = true;
    if (!o->as) return CLI_OK;
    call->argv[call->n++] = (char *)o->as;
    if (!o->flag) call->argv[call->n++] = argument;
    return CLI_OK;
}

/* -scheme N: what mcl keeps of the flow of a vertex; 7 is its most generous. */
static int add_scheme(Call *call, const char *argument) {
    static const char *const schemes[7][4] = {
        {"3000", "400", "500", "90"},   {"4000", "500", "600", "90"},
        {"5000", "600", "700", "90"},   {"6000", "700", "800", "90"},
        {"7000", "800", "900", "90"},   {"10000", "1100", "1400", "90"},
        {"10000", "1200", "1600", "90"}};
    static const char *const words[4] = {"--precision", "--select", "--recover", "--pct"};
    if (!argument || argument[0] < '1' || argument[0] > '7' || argument[1] != '\0')
        return refuse("-scheme", "a number from 1 to 7 must follow");
    for (int k = 0; k < 4; k++) {
        call->argv[call->n++] = (char *)words[k];
        call->argv[call->n++] = (char *)schemes[argument[0] - '1'][k];
    }
    return CLI_OK;
}

static int translate(Call *call, int argc, char **argv) {
    call->argv[call->n++] = "gblite mcl";
    for (int k = 1; k < argc; k++) {
        int found = 0;
        if (argv[k][0] != '-' || argv[k][1] == '\0') {
            if (call->file) return refuse(argv[k], "one file is clustered at a time");
            call->file = call->argv[call->n++] = argv[k];
            continue;
        }
        if (!strcmp(argv[k], "-scheme")) {
            const int code = add_scheme(call, k + 1 < argc ? argv[++k] : NULL);
            if (code != CLI_OK) return code;
            continue;
        }
        while (found < OPTIONS && strcmp(argv[k], options[found].name) != 0) found++;
        if (found == OPTIONS)
            return refuse(argv[k], "this option of mcl is not known; `gblite-mcl -h' lists those "
                                   "that are");
        const Option *o = &options[found];
        const int code = add(call, o, argv[k], k + 1 < argc ? argv[k + 1] : NULL);
        if (code != CLI_OK) return code;
        k += !o->flag;
    }
    return call->file ? CLI_OK : refuse("FILE", "no file is given");
}

static int cluster(Call *call) {
    char *name = call->output ? NULL : name_output(call);
    if (!call->output && !name) return refuse(call->file, "not enough memory for a name");
    if (name) {
        call->argv[call->n++] = "--output";
        call->argv[call->n++] = name;
        call->output = name;
    }
    if (!call->abc) call->argv[call->n++] = "--native";
    call->argv[call->n++] = "--quiet";
    call->argv[call->n] = NULL;
    const int code = cmd_mcl(call->n, call->argv);
    if (code == CLI_OK && !call->quiet) fprintf(stderr, "[mcl] output is in %s\n", call->output);
    free(name);
    return code;
}

bool cli_is_mcl(const char *program) {
    const char *slash = strrchr(program, '/'), *base = slash ? slash + 1 : program;
    return !strcmp(base, "mcl") || !strcmp(base, "gblite-mcl");
}

int cli_mcl_program(int argc, char **argv) {
    if (argc < 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
        fputs(usage, argc < 2 ? stderr : stdout);
        return argc < 2 ? CLI_BAD_USAGE : CLI_OK;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("mcl by gblite %d.%d.%d\n", GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR,
               GBLITE_VERSION_PATCH);
        return CLI_OK;
    }
    Call call = {.argv = calloc(4 * (size_t)argc + 8, sizeof *call.argv)};
    if (!call.argv) return refuse("FILE", "not enough memory for the command line");
    int code = translate(&call, argc, argv);
    if (code == CLI_OK) code = cluster(&call);
    free(call.argv);
    return code;
}
