/* SPDX-License-Identifier: Apache-2.0
 *
 * The program under the name mcl or gblite-mcl: options as of the program mcl of S. van Dongen,
 * which pipelines for families of proteins call, become those of `gblite mcl`. Options that change
 * no cluster are accepted; others that are not known are refused.
 */
#define _GNU_SOURCE
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
    {"-use-tab", "--tab", false, NULL},
    {"-tf", NULL, false, NULL},
    {"-abc-tf", NULL, false, NULL},
    {"--abc-neg-log", NULL, true, NULL},
    {"--abc-neg-log10", NULL, true, NULL},
    {"-resource", "--select", false, NULL},
    {"-odir", NULL, false, NULL},
    {"-ap", NULL, false, NULL},
    {"-aa", NULL, false, NULL},
    {"--d", NULL, true, NULL},
    {"-how-much-ram", NULL, false, NULL},
    {"-i", NULL, false, NULL}, /* of -l 0 steps */
    {"-discard-loops", NULL, false, "y"},
    {"--discard-loops=y", NULL, true, NULL},
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
    {"--force-connected=n", NULL, true, NULL},
    {"--check-connected=n", NULL, true, NULL},
};
enum { OPTIONS = sizeof options / sizeof *options };

static const char usage[] =
    "usage: gblite-mcl FILE [--abc] [-I R] [-o FILE] [-te N] [-V all] ...\n"
    "The program mcl by gblite: FILE, or - for stdin, has edges (--abc) or a matrix in mcl's "
    "form.\n"
    "Clusters go to FILE of -o, as labels or a matrix, or to out.FILE.I20 at inflation 2.\n"
    "-I -o -te -t -p -P -S -R -pct -L -scheme -resource -odir --d -ap -aa --abc -use-tab -tf\n"
    "-abc-tf --abc-neg-log --abc-neg-log10 are as in mcl, and -V all mutes. These change nothing:\n"
    "-v -q -annot -digits -sparse -warn-pct -warn-factor -dump-stem -show-log -analyze.\n"
    "`gblite mcl --help' has more.\n";

typedef struct {
    char **argv; /* of gblite mcl */
    int n;
    const char *file, *output, *inflation, *folder, *prefix, *suffix;
    const char *transform[3];     /* of weights, in their order */
    bool quiet, abc, tab, beside; /* beside: the output goes to the folder of the file */
} Call;

/* The name that mcl gives: inflation 1.4 is I14, 2 is I20. */
static char *name_output(const Call *call) {
    const char *slash = strrchr(call->file, '/'), *base = slash ? slash + 1 : call->file;
    const double inflation = call->inflation ? strtod(call->inflation, NULL) : 2;
    const int length = call->beside && slash ? (int)(slash + 1 - call->file) : 0;
    char *name = NULL;
    if (asprintf(&name, "%.*s%s%s%sout.%s.I%d%s", length, call->file,
                 call->folder ? call->folder : "", call->folder ? "/" : "",
                 call->prefix ? call->prefix : "", base, (int)(10 * inflation + .5),
                 call->suffix ? call->suffix : "") < 0)
        return NULL;
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
    const struct {
        const char *name, **to;
    } words[] = {{"-I", &call->inflation},    {"-o", &call->output},
                 {"-odir", &call->folder},    {"-ap", &call->prefix},
                 {"-aa", &call->suffix},      {"-abc-tf", &call->transform[1]},
                 {"-tf", &call->transform[2]}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(o->name, words[k].name)) *words[k].to = argument;
    if (!strcmp(o->name, "-V")) call->quiet |= !strcmp(argument, "all");
    if (!strcmp(o->name, "--abc")) call->abc = true;
    if (!strcmp(o->name, "--d")) call->beside = true;
    if (!strcmp(o->name, "-use-tab")) call->tab = true;
    if (!strcmp(o->name, "--abc-neg-log")) call->transform[0] = "neglog(0)";
    if (!strcmp(o->name, "--abc-neg-log10")) call->transform[0] = "neglog(10)";
    if (!strcmp(o->name, "-resource")) {
        call->argv[call->n++] = (char *)"--recover";
        call->argv[call->n++] = argument;
    }
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

/* The transformations, one list of them; NULL without memory. */
static char *join_transforms(const Call *call) {
    const char *const *t = call->transform;
    char *list = NULL;
    return asprintf(&list, "%s,%s,%s", t[0] ? t[0] : "", t[1] ? t[1] : "", t[2] ? t[2] : "") < 0
               ? NULL
               : list;
}

static int cluster(Call *call) {
    char *name = call->output ? NULL : name_output(call), *list = join_transforms(call);
    if ((!call->output && !name) || !list) {
        free(name);
        free(list);
        return refuse(call->file, "not enough memory for a name");
    }
    if (strcmp(list, ",,") != 0) {
        call->argv[call->n++] = (char *)"--transform";
        call->argv[call->n++] = list;
    }
    if (name) {
        call->argv[call->n++] = "--output";
        call->argv[call->n++] = name;
        call->output = name;
    }
    if (!call->abc && !call->tab) call->argv[call->n++] = "--native";
    call->argv[call->n++] = "--quiet";
    call->argv[call->n] = NULL;
    const int code = cmd_mcl(call->n, call->argv);
    if (code == CLI_OK && !call->quiet) fprintf(stderr, "[mcl] output is in %s\n", call->output);
    free(name);
    free(list);
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
    Call call = {.argv = calloc(4 * (size_t)argc + 16, sizeof *call.argv)};
    if (!call.argv) return refuse("FILE", "not enough memory for the command line");
    int code = translate(&call, argc, argv);
    if (code == CLI_OK) code = cluster(&call);
    free(call.argv);
    return code;
}
