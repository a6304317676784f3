/* SPDX-License-Identifier: BSD-3-Clause */
/* rollout_test.c - a job script with a small MPI program: each rank reads the settings back from
 * its library and compares the file with what was exported; then the library is given a file that
 * must make it fail, which shows that it goes by files at all. */
#include "harness/rules/load_lines.h"
#include "harness/rules/rollout.h"
#include "harness/rules/tuned_table.h"

/* The program, behind its two tables. Its checksum is that of fs_digest. */
static const char program[] =
    "static int find(const char *wanted)\n"
    "{\n"
    "    int n = 0;\n"
    "    MPI_T_cvar_get_num(&n);\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        char name[256] = \"\";\n"
    "        int len = sizeof name, verbosity, desc = 0, bind, scope;\n"
    "        MPI_Datatype type;\n"
    "        MPI_T_enum set;\n"
    "        if (MPI_T_cvar_get_info(i, name, &len, &verbosity, &type, &set, NULL, &desc, &bind, "
    "&scope) == MPI_SUCCESS && strcmp(name, wanted) == 0)\n"
    "            return i;\n"
    "    }\n"
    "    return -1;\n"
    "}\n"
    "\n"
    "/* 1 when the library's variable has the value; what it has goes to buf. */\n"
    "static int has(const struct setting *s, char buf[4096])\n"
    "{\n"
    "    char name[256], word[256] = \"\";\n"
    "    int at = find(s->name), len = sizeof name, verbosity, desc = 0, bind, scope, count;\n"
    "    MPI_Datatype type;\n"
    "    MPI_T_enum set = MPI_T_ENUM_NULL;\n"
    "    MPI_T_cvar_handle handle;\n"
    "    strcpy(buf, \"(no such variable)\");\n"
    "    if (at < 0 || MPI_T_cvar_handle_alloc(at, NULL, &handle, &count) != MPI_SUCCESS)\n"
    "        return 0;\n"
    "    MPI_T_cvar_get_info(at, name, &len, &verbosity, &type, &set, NULL, &desc, &bind, "
    "&scope);\n"
    "    memset(buf, 0, 4096);\n"
    "    const char *set_as = getenv(s->variable);\n"
    "    const int is_set = set_as && strcmp(set_as, s->value) == 0;\n"
    "    if (type == MPI_CHAR && count < 4096) {\n"
    "        MPI_T_cvar_read(handle, buf);\n"
    "        /* of a text MPICH gives the default, whatever is set */\n"
    "        return strcmp(buf, s->value) == 0 || (strcmp(s->mark, \"mpich\") == 0 && is_set);\n"
    "    }\n"
    "    long long value = 0;\n"
    "    int number = 0;\n"
    "    MPI_T_cvar_read(handle, &value);\n"
    "    memcpy(&number, &value, sizeof number);\n"
    "    sprintf(buf, \"%d\", number);\n"
    "    len = sizeof word;\n"
    "    for (int i = 0, v, n = 0; set != MPI_T_ENUM_NULL && (MPI_T_enum_get_info(set, &n, word, "
    "&len), len = sizeof word, i < n); i++)\n"
    "        if (MPI_T_enum_get_item(set, i, &v, word, &len) == MPI_SUCCESS && v == number && "
    "strcmp(word, s->value) == 0)\n"
    "            return 1;\n"
    "    /* a word that the library has as a number without a name: it refuses others as it starts "
    "*/\n"
    "    return strcmp(buf, s->value) == 0 || is_set;\n"
    "}\n"
    "\n"
    "static int is_whole(const struct file *f)\n"
    "{\n"
    "    unsigned long long size = 0, sum = 14695981039346656037ULL;\n"
    "    FILE *in = fopen(f->path, \"rb\");\n"
    "    for (int c; in && (c = getc(in)) != EOF; size++)\n"
    "        sum = (sum ^ (unsigned)c) * 1099511628211ULL;\n"
    "    if (in)\n"
    "        fclose(in);\n"
    "    return size == f->size && sum == f->sum;\n"
    "}\n"
    "\n"
    "/* Settings of this library that are not as they were rolled out; tell: each is named, and "
    "files count, too. */\n"
    "static int count_other(const char *mark, int tell, const char *who)\n"
    "{\n"
    "    char buf[4096];\n"
    "    int bad = 0;\n"
    "    for (const struct setting *s = want; s->mark; s++)\n"
    "        if (strcmp(s->mark, mark) == 0 && !has(s, buf) && ++bad && tell)\n"
    "            printf(\"%s: %s is '%s', not '%s'\\n\", who, s->name, buf, s->value);\n"
    "    for (const struct file *f = files; tell && f->mark; f++)\n"
    "        if (strcmp(f->mark, mark) == 0 && !is_whole(f) && ++bad)\n"
    "            printf(\"%s: %s is not there, or not as it was exported\\n\", who, f->path);\n"
    "    return bad;\n"
    "}\n"
    "\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    char version[MPI_MAX_LIBRARY_VERSION_STRING], host[MPI_MAX_PROCESSOR_NAME], who[400];\n"
    "    const char *mode = argc > 1 ? argv[1] : \"check\", *mark = \"other\";\n"
    "    int rank, size, len, thread, bad, all = 0, one = 1, sum = 0;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_T_init_thread(MPI_THREAD_SINGLE, &thread);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    MPI_Get_library_version(version, &len);\n"
    "    MPI_Get_processor_name(host, &len);\n"
    "    version[strcspn(version, \"\\n\")] = '\\0';\n"
    "    mark = strstr(version, \"Open MPI\") ? \"openmpi\" : strstr(version, \"MPICH\") ? "
    "\"mpich\" : mark;\n"
    "    sprintf(who, \"rank %d on %.255s\", rank, host);\n"
    "    if (strcmp(mode, \"poison\") == 0) {\n"
    "        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);\n"
    "        bad = MPI_Barrier(MPI_COMM_WORLD) == MPI_SUCCESS;\n"
    "    } else if (strcmp(mode, \"off\") == 0)\n"
    "        bad = count_other(mark, 0, who) == 0;\n"
    "    else\n"
    "        bad = count_other(mark, 1, who);\n"
    "    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
    "    bad += sum != size;\n"
    "    MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
    "    if (rank == 0 && strcmp(mode, \"check\") == 0)\n"
    "        printf(\"library %s: %s; %d ranks\\n\", mark, version, size);\n"
    "    MPI_T_finalize();\n"
    "    MPI_Finalize();\n"
    "    return all != 0;\n"
    "}\n";

/* As a C compiler reads it. */
static void put_c(FILE *out, const char *text)
{
    putc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (strchr("\"\\?", *c))
            fprintf(out, "\\%c", *c);
        else if (*c < 128)
            putc(*c, out);
        else
            fprintf(out, "\\%03o", *c);
    putc('"', out);
}

static void put_setting(const struct rollout_setting *s, FILE *out)
{
    char variable[RULES_LOAD_NAME];
    const struct rules_reader *reader = s->file->reader;
    fprintf(out, "    { \"%s\", \"%s\", \"%s\", ", reader->library, s->load->name,
            rules_load_variable(reader, s->load, variable));
    put_c(out, s->load->value ? s->load->value : s->file->path);
    fputs(" },\n", out);
}

static void put_program(const struct rollout *r, FILE *out)
{
    fputs("#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
          "\nstatic const struct setting {\n    const char *mark, *name, *variable, *value;\n"
          "} want[] = {\n",
          out);
    for (size_t i = 0; i < r->n; i++)
        rollout_each(r, &r->file[i], put_setting, out);
    fputs("    { 0 }\n};\nstatic const struct file {\n    const char *mark, *path;\n    unsigned "
          "long long size, sum;\n} files[] = {\n",
          out);
    for (size_t i = 0; i < r->n; i++) {
        fprintf(out, "    { \"%s\", ", r->file[i].reader->library);
        put_c(out, r->file[i].path);
        fprintf(out, ", %zu, %" PRIu64 "ULL },\n", r->file[i].len,
                fs_digest(r->file[i].text, r->file[i].len));
    }
    fprintf(out, "    { 0 }\n};\n\n%s", program);
}

/* Rules by which a barrier among more than two must fail: its algorithm is for two. */
static void put_poison(const struct rules_reader *reader, FILE *out)
{
    static const char *const none[] = { NULL };
    struct rules_row row = { .most = UINT64_MAX, .id = 5 };
    struct rules_block block = { .collective = "barrier", .most = INT64_MAX, .row = &row, .n = 1 };
    const struct rules_table table = { .block = &block, .n = 1 };
    fputs("cat >\"$work/poison\" <<'END'\n", out);
    reader->write(reader, &table, none, out);
    fputs("END\n", out);
}

/* The library is made to read another file than it was given. */
static void put_other_file(const struct rollout_setting *s, FILE *out)
{
    char variable[RULES_LOAD_NAME];
    if (!s->load->value)
        fprintf(out, " %s=\"$work/%s\"", rules_load_variable(s->file->reader, s->load, variable),
                s->file->reader->by_name ? "not-there" : "poison");
}

/* MPICH ends where a file is not there; Open MPI fails where it goes by one that must make it fail.
 */
static void put_trial(const struct rollout *r, const struct rollout_file *f, FILE *out)
{
    const int trees = f->reader->by_name;
    if (!trees)
        put_poison(f->reader, out);
    fputs("    (export", out);
    rollout_each(r, f, put_other_file, out);
    if (!trees) {
        fputs("; start poison)\n    claim $? 'given a file by which a barrier must fail, it fails: "
              "so it goes by files'\n",
              out);
        return;
    }
    fprintf(out,
            "; ! start check)\n    claim $? 'it does not start where the %s is not there: so it "
            "reads it'\n",
            f->ending ? "tree of its device" : "file");
    fputs("    (export MPIR_CVAR_DEBUG_SUMMARY=1; start check)\n"
          "    grep '^MPI[RD][^:]*: .*/' \"$work/out\" # which file each level took, in 5.0\n",
          out);
}

static void put_proof(const struct rollout *r, const struct rollout_file *f, FILE *out)
{
    fprintf(out, "if [ \"$library\" = %s ]; then\n", f->reader->library);
    if (f->reader->component)
        fprintf(out,
                "    echo 'not tested: whether component %s goes by its file (collsel rules says "
                "what it makes of it)'\n",
                f->reader->component);
    else
        put_trial(r, f, out);
    fputs("fi\n", out);
}

static void put_off(const struct rollout_setting *s, FILE *out)
{
    char variable[RULES_LOAD_NAME];
    if (s->load->off)
        fprintf(out, " %s=%s", rules_load_variable(s->file->reader, s->load, variable),
                s->load->off);
}

static void put_usage(const struct rollout *r, FILE *out)
{
    fputs("#!/bin/sh\n#SBATCH --job-name=collsel-rollout\n#SBATCH --ntasks=4\n", out);
    for (size_t i = 0; i < r->n; i++)
        fprintf(out, "# Tests what was rolled out of %s, for %s.\n", r->file[i].path,
                r->file[i].reader->help);
    fputs(
        "#   sbatch -N 2 THIS 'module load collsel-tuning'     after a module; '. /path/tuning.sh' "
        "after exports\n"
        "#   sbatch -N 2 THIS                                  after a prolog, or parameters\n"
        "#   MPICC=mpicc LAUNCH='mpirun -n 4' sh THIS '...'    without Slurm\n"
        "# Once for each MPI that has a file, with that MPI's mpicc in PATH; three ranks at "
        "least.\n"
        "# Exits with 1 where something is not as it was rolled out. Called in a directory that "
        "all "
        "nodes see.\n"
        "how=${1-:}\n"
        "work=$(mktemp -d \"$PWD/collsel-rollout.XXXXXX\") || exit 1\n"
        "trap 'rm -rf \"$work\"' EXIT\n"
        "launch=${LAUNCH-}\n"
        "[ -n \"$launch\" ] || { [ -n \"${SLURM_JOB_ID-}\" ] && launch=srun; }\n"
        "# Four ranks may share fewer cores: the variable of Open MPI 4, and of 5.\n"
        "[ -n \"$launch\" ] || { launch='mpirun -n 4'; export OMPI_MCA_rmaps_base_oversubscribe=1 "
        "PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe; }\n"
        "start() { timeout 300 $launch \"$work/check\" \"$1\" >\"$work/out\" 2>\"$work/err\"; }\n"
        "bad=0\n"
        "claim() { if [ \"$1\" -eq 0 ]; then echo \"ok: $2\"; else echo \"NOT: $2\"; bad=1; fi; "
        "}\n",
        out);
}

void rollout_write_test(const struct rollout *r, FILE *out)
{
    put_usage(r, out);
    fputs("cat >\"$work/check.c\" <<'END'\n", out);
    put_program(r, out);
    fputs("END\n"
          "\"${MPICC:-mpicc}\" -std=c99 -o \"$work/check\" \"$work/check.c\" || exit 1\n"
          "(export " ROLLOUT_OPT_OUT "=off; eval \"$how\"; start off)\n"
          "off=$?\n"
          "eval \"$how\"\n"
          "start check\n"
          "status=$?\n"
          "cat \"$work/out\"\n"
          "library=$(sed -n 's/^library \\([a-z]*\\):.*/\\1/p' \"$work/out\")\n"
          "case $library in\n",
          out);
    for (size_t i = 0; i < r->n; i++)
        fprintf(out, "%s%s", i ? " | " : "", r->file[i].reader->library);
    fputs(") ;;\n"
          "*)\n    echo \"NOT: no file is for this library, or it did not start\"\n    cat "
          "\"$work/err\"\n    exit 1\n    "
          ";;\nesac\n"
          "claim $status 'every rank has the settings, and the file as it was exported'\n",
          out);
    for (size_t i = 0; i < r->n; i++)
        put_proof(r, &r->file[i], out);
    fputs("if [ $status -ne 0 ]; then\n    echo 'not tested: whether a job can go without'\n"
          "elif [ $off -ne 0 ]; then # parameters of a file know nothing of it\n    (export",
          out);
    for (size_t i = 0; i < r->n; i++)
        rollout_each(r, &r->file[i], put_off, out);
    fputs("; start off) && [ \"$library\" = openmpi ] && off=0\n"
          "    claim $off 'a job goes without (by variables; not by " ROLLOUT_OPT_OUT "=off)'\n"
          "else\n    claim 0 'a job goes without by " ROLLOUT_OPT_OUT "=off'\nfi\nexit $bad\n",
          out);
}
