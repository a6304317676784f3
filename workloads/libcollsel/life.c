/* SPDX-License-Identifier: BSD-3-Clause */
#include "workloads/libcollsel/life.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "workloads/libcollsel/ask_program.h"
#include "workloads/libcollsel/counted.h"
#include "workloads/libcollsel/process_state.h"
#include "workloads/libcollsel/profile.h"
#include "workloads/libcollsel/timeline.h"

/* At the end of the application: sends the records of all ranks to rank 0, which prints them on
 * standard error, or writes them to COLLSEL_REPORT. */

enum { TAG = 29 };

static void fill(const struct library *lib, const struct row *row, struct sent_row *sent)
{
    const int sites = row->n_sites < ROW_SITES ? row->n_sites : ROW_SITES;
    *sent = (struct sent_row){ .facts = row->facts,
                               .is_world = row->key.members == lib->world_members };
    snprintf(sent->collective, sizeof sent->collective, "%s",
             call_args_name((enum call_args_which)row->key.which));
    for (int i = 0; i < row->n_tried; i++)
        sent->tried[i] = row->tried[i];
    for (int i = 0; i < sites; i++) {
        site_name(row->site[i].at, sent->site[i].name);
        sent->site[i].calls = row->site[i].calls;
        sent->site[i].total_ns = row->site[i].total_ns;
    }
    for (int i = 0; i < row->n_arrivals; i++)
        sent->arrival_s[i] = clock_line_other(&lib->clock.line, (double)row->arrival[i] * 1e-9);
}

static struct sent_row *fill_all(const struct library *lib)
{
    struct sent_row *sent = memory_zeros(lib->rows.n, sizeof *sent);
    for (size_t i = 0; i < lib->rows.n; i++)
        fill(lib, lib->rows.v[i], &sent[i]);
    return sent;
}

static void add_all(struct profile *p, const struct sent_row *sent, uint64_t n, uint64_t lost)
{
    for (uint64_t i = 0; i < n; i++)
        profile_add(p, &sent[i]);
    p->lost += lost;
}

/* One rank after the other, so that rank 0 holds the rows of one at a time. */
static void gather(struct profile *p, const struct library *lib, int rank)
{
    struct sent_row *sent = fill_all(lib);
    uint64_t head[2] = { lib->rows.n, lib->rows.lost };
    if (rank > 0) {
        PMPI_Send(head, 2, MPI_UINT64_T, 0, TAG, lib->own);
        PMPI_Send(sent, (int)(head[0] * sizeof *sent), MPI_BYTE, 0, TAG, lib->own);
    } else {
        add_all(p, sent, head[0], head[1]);
    }
    for (int r = 1; rank == 0 && r < p->procs; r++) {
        PMPI_Recv(head, 2, MPI_UINT64_T, r, TAG, lib->own, MPI_STATUS_IGNORE);
        sent = memory_resize(sent, head[0], sizeof *sent);
        PMPI_Recv(sent, (int)(head[0] * sizeof *sent), MPI_BYTE, r, TAG, lib->own,
                  MPI_STATUS_IGNORE);
        add_all(p, sent, head[0], head[1]);
    }
    free(sent);
}

static void fill_counted(struct profile *p, const struct counted *counted)
{
    char name[PROFILE_CALL];
    const char *why;
    for (int i = 0; i < N_COUNTED; i++)
        if (counted[i].calls) {
            counted_name(i, name, &why);
            profile_count(p, name, why, counted[i].calls, (double)counted[i].ns * 1e-9);
        }
}

/* What the ranks have counted, as sums. */
static void gather_counted(struct profile *p, const struct library *lib)
{
    struct counted *sums = memory_zeros(N_COUNTED, sizeof *sums);
    PMPI_Reduce(counted_all(), sums, 2 * N_COUNTED, MPI_UINT64_T, MPI_SUM, 0, lib->own);
    fill_counted(p, sums);
    free(sums);
}

/* A device or pipe, which no file may replace. */
static int write_stream(const struct profile *p, const char *path, struct err *err)
{
    FILE *out = fopen(path, "we");
    if (!out)
        return err_errno(err, "cannot open '%s'", path);
    profile_json(p, out);
    const int failed = ferror(out);
    return fclose(out) != 0 || failed ? err_errno(err, "cannot write '%s'", path) : 0;
}

static int write_whole(const struct profile *p, const char *path, struct err *err)
{
    struct whole_file f;
    if (fs_begin(&f, path, err) < 0)
        return -1;
    profile_json(p, f.file);
    return fs_commit(&f, err);
}

static void write_report(const struct profile *p, const char *path)
{
    struct stat st;
    struct err err = { 0 };
    const int is_stream = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    if ((is_stream ? write_stream(p, path, &err) : write_whole(p, path, &err)) < 0)
        fprintf(stderr, "collsel: COLLSEL_REPORT: %s\n", err.text);
}

enum { PROCS_LIST = 5 * CHOICE_TABLE_RULES_PROCS };

/* Kinds of calls that a rules file decided, and one table of it answers. */
struct by_file {
    char name[DECIDED_NAME];
    struct decided_place place;
    uint64_t element_bytes; /* where the file goes by places: by counts of elements, too */
};

static int is_answered(const struct by_file *of, const struct sent_row *r)
{
    return strcmp(r->decided, of->name) == 0 &&
           (!of->place.nodes || r->element_bytes == of->element_bytes);
}

/* Their numbers of ranks, "4,8": the table of a large file for all numbers has megabytes. */
static void list_procs(const struct profile *p, const struct by_file *of, char list[PROCS_LIST])
{
    char has[CHOICE_TABLE_RULES_PROCS + 1] = { 0 };
    size_t used = 0;
    *list = '\0';
    for (size_t i = 0; i < p->n; i++) {
        const int procs = p->v[i]->first.key.procs;
        if (procs > CHOICE_TABLE_RULES_PROCS || has[procs] || !is_answered(of, &p->v[i]->first))
            continue;
        has[procs] = 1;
        used += (size_t)snprintf(list + used, PROCS_LIST - used, used ? ",%d" : "%d", procs);
    }
}

static int is_same(const struct decided_file *f)
{
    struct stat now;
    return stat(f->path, &now) == 0 && now.st_ino == f->seen.st_ino &&
           now.st_mtim.tv_sec == f->seen.st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == f->seen.st_mtim.tv_nsec;
}

/* The rules file that decides the library's own calls, as a table; NULL with *err. */
static struct choice_table *table_of_file(const struct profile *p, const struct library *lib,
                                          const struct by_file *of, struct err *err)
{
    const struct decided *d = &lib->decided;
    char procs[PROCS_LIST], nodes[16], element[24];
    const char *words[16] = { lib->settings.program, "rules",   d->rules.path, "--table",
                              "--library",           d->library };
    size_t n = 6;
    list_procs(p, of, procs);
    snprintf(nodes, sizeof nodes, "%d", of->place.nodes);
    snprintf(element, sizeof element, "%" PRIu64, of->element_bytes ? of->element_bytes : 1);
    const char *const more[][2] = { { *procs ? "--procs" : NULL, procs },
                                    { of->place.nodes ? "--nodes" : NULL, nodes },
                                    { of->place.nodes ? "--element" : NULL, element },
                                    { of->place.device ? "--device" : NULL,
                                      d->device_rules.path } };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        for (int k = 0; more[i][0] && k < 2; k++)
            words[n++] = more[i][k];
    if (!is_same(&d->rules) || (of->place.device && !is_same(&d->device_rules)))
        err_set(err, "it is gone, or another one since MPI_Init");
    char *text = *err->text ? NULL : ask_program(words, err);
    struct choice_table *table =
        text ? choice_table_parse(text, strlen(text), "its table", err) : NULL;
    free(text);
    return table;
}

/* Of elements of several sizes the largest and the smallest have to get the same. */
static void name_row(const struct decided *d, const struct by_file *of,
                     const struct choice_table *table, struct sent_row *r)
{
    struct decided_cell cell = { r->collective, r->key.procs, r->rank_bytes, r->element_bytes };
    char of_least[DECIDED_NAME];
    if (of->place.nodes && r->least_bytes != r->element_bytes)
        table = NULL;
    memcpy(of_least, r->decided, sizeof of_least);
    decided_from_table(d, table, &cell, r->decided);
    cell.element_bytes = r->least_bytes;
    decided_from_table(d, table, &cell, of_least);
    if (strcmp(of_least, r->decided) != 0)
        *r->decided = '\0';
}

/* Names the algorithms that rows like row i get of a rules file; 0: no table has others. */
static int name_alike(struct profile *p, const struct library *lib, size_t i, struct err *err)
{
    struct by_file of = { .element_bytes = p->v[i]->first.element_bytes };
    if (!decided_by_file(&lib->decided, p->v[i]->first.decided, &of.place))
        return 1;
    memcpy(of.name, p->v[i]->first.decided, sizeof of.name);
    const int is_first = !*err->text;
    struct choice_table *table = is_first ? table_of_file(p, lib, &of, err) : NULL;
    if (is_first && *err->text)
        fprintf(stderr, "collsel: which algorithms '%s' chooses is not known: %s\n",
                lib->decided.rules.path, err->text);
    for (; i < p->n; i++)
        if (is_answered(&of, &p->v[i]->first))
            name_row(&lib->decided, &of, table, &p->v[i]->first);
    choice_table_free(table);
    return of.place.nodes;
}

/* Names the algorithms that rules files of the library chose. */
static void name_by_file(struct profile *p, const struct library *lib)
{
    struct err err = { 0 };
    for (size_t i = 0; lib->settings.program && i < p->n; i++)
        if (!name_alike(p, lib, i, &err))
            return;
}

/* Collective over MPI_COMM_WORLD. */
static void summary_make(struct library *lib)
{
    const struct libcollsel_settings *s = &lib->settings;
    const int is_bound = s->mode == LIBCOLLSEL_STAR && s->judge == STAR_SURE;
    struct profile p = { .mpi = MPI_NAME,
                         .mode = libcollsel_mode_words[s->mode],
                         .cost = is_bound ? s->cost * 1e-6 : 0,
                         .start_s = (double)lib->start_ns * 1e-9 };
    int rank;
    PMPI_Comm_rank(lib->own, &rank);
    PMPI_Comm_size(lib->own, &p.procs);
    p.run_s = (double)(clock_now() - lib->began_ns) * 1e-9;
    gather(&p, lib, rank);
    gather_counted(&p, lib);
    if (rank == 0) {
        name_by_file(&p, lib);
        if (lib->settings.report)
            write_report(&p, lib->settings.report);
        profile_merge(&p);
        profile_print(&p, stderr);
    }
    profile_clear(&p);
}

/* A launcher may drop what it has not read of a pipe when a rank gives up: up to a second for it to
 * read. */
static void let_read(int fd)
{
    const struct timespec nap = { .tv_nsec = 10000000 };
    int left = 0;
    for (int i = 0; i < 100 && ioctl(fd, FIONREAD, &left) == 0 && left > 0; i++)
        nanosleep(&nap, NULL);
}

static void end_program(const char *text)
{
    fprintf(stderr, "collsel: %s\n", text);
    fflush(stderr);
    let_read(fileno(stderr));
    PMPI_Abort(MPI_COMM_WORLD, EXIT_USAGE);
    _exit(EXIT_USAGE); /* MPICH's PMPI_Abort returns, until the launcher ends the rank */
}

/* What has to be alike on all ranks: else some would wait for others for ever. */
static void check_alike(const struct libcollsel_settings *s)
{
    enum { N = 11 };
    const int said[N] = { (int)s->mode, (int)s->repository, (int)s->judge,      s->groups,
                          s->sites,     s->sizes,           s->table != NULL,   s->model != NULL,
                          s->cost,      s->learnt != NULL,  s->timeline != NULL };
    int mine[2 * N], most[2 * N];
    for (int i = 0; i < N; i++) {
        mine[i] = said[i];
        mine[N + i] = -said[i];
    }
    PMPI_Allreduce(mine, most, 2 * N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        if (most[i] != -most[N + i])
            end_program("ranks were started with different variables COLLSEL_...");
}

/* 1 when some rank has it. */
static int some_rank(int mine)
{
    int any;
    PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any;
}

static void read_settings(struct libcollsel_settings *settings, int rank)
{
    struct err err = { 0 };
    const int wrong = libcollsel_settings_read(settings, environ, &err) < 0;
    if (wrong && rank == 0)
        end_program(err.text);
    if (some_rank(wrong) && wrong) /* rank 0 alone says it where it has it, too */
        end_program(err.text);
}

/* What rank 0 has read, so that all have the same; NULL: nothing. To be freed. */
static char *share_text(char *text, int rank, uint64_t *length)
{
    *length = text ? strlen(text) : UINT64_MAX;
    PMPI_Bcast(length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (*length == UINT64_MAX)
        return NULL;
    if (rank > 0)
        text = memory_zeros((size_t)*length + 1, 1);
    PMPI_Bcast(text, (int)*length, MPI_BYTE, 0, MPI_COMM_WORLD);
    return text;
}

/* Rank 0 reads it, so that all have the same. */
static struct choice_table *read_table(const struct libcollsel_settings *s, int rank)
{
    struct err err = { 0 };
    size_t length = 0;
    char *text =
        rank == 0 ? fs_read_within(s->table, CHOICE_TABLE_MOST_BYTES, &length, &err) : NULL;
    uint64_t bytes = length;
    if (rank == 0 && !text) {
        err_prefix(&err, "COLLSEL_TABLE");
        end_program(err.text);
    }
    PMPI_Bcast(&bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    if (rank > 0)
        text = memory_zeros((size_t)bytes + 1, 1);
    PMPI_Bcast(text, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    struct choice_table *table = choice_table_parse(text, (size_t)bytes, s->table, &err);
    free(text);
    if (!table && rank == 0) {
        err_prefix(&err, "COLLSEL_TABLE");
        end_program(err.text);
    }
    PMPI_Barrier(MPI_COMM_WORLD); /* where rank 0 ends the program nobody goes on */
    return table;
}

/* What a file of it belongs to: this program (0: it cannot be read), its MPI, this kind of nodes.
 */
static void head_of(char head[LEARNT_HEAD])
{
    char library[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "", node[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int n = 0;
    size_t length = 0;
    char *program = fs_read("/proc/self/exe", &length, NULL);
    PMPI_Get_library_version(library, &n);
    library[strcspn(library, "\n,")] = '\0';
    PMPI_Get_processor_name(node, &n);
    star_memory_head(head, program ? fs_digest(program, length) : 0, library, node);
    free(program);
}

/* Rank 0 reads the file. Where there is none, or one of something else, all begin anew; a file of
 * somebody else's is not written over. */
static void read_learnt(struct library *lib, int rank)
{
    char head[LEARNT_HEAD];
    struct err err = { 0 };
    const char *path = lib->settings.learnt;
    char *text =
        rank == 0 && fs_exists(path) ? fs_read_within(path, LEARNT_MOST_BYTES, NULL, &err) : NULL;
    const int unread = rank == 0 && !text && fs_exists(path);
    if (text && !*text) { /* as mktemp makes one */
        free(text);
        text = NULL;
    }
    if (text)
        head_of(head);
    if (unread || (text && star_memory_parse(&lib->learnt, text, head, &err) < 0)) {
        err_prefix(&err, "COLLSEL_LEARNT: %s (remove it, or name another one)", path);
        if (unread || !star_memory_is_file(text))
            end_program(err.text);
        fprintf(stderr, "collsel: %s: it becomes '%s.old' at the end, and a new one is written\n",
                err.text, path);
        lib->renames_learnt = 1;
        free(text);
        text = NULL;
    }
    uint64_t length;
    char *shared = share_text(text, rank, &length);
    if (rank > 0 && shared)
        star_memory_parse(&lib->learnt, shared, NULL, NULL);
    free(shared);
    PMPI_Barrier(MPI_COMM_WORLD); /* as in read_table */
}

static void write_learnt(const struct library *lib)
{
    char head[LEARNT_HEAD], date[32];
    struct err err = { 0 };
    const time_t now = time(NULL);
    struct tm utc;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    head_of(head);
    char *text = star_memory_text(&lib->learnt, head, date);
    const char *path = lib->settings.learnt;
    char old[PATH_SIZE];
    int status = !lib->renames_learnt ? 0 : fs_path(old, sizeof old, &err, "%s.old", path);
    if (status == 0 && lib->renames_learnt && rename(path, old) < 0)
        status = err_errno(&err, "'%s' stays, as it cannot become '%s'", path, old);
    if (status < 0 || fs_write(path, text, &err) < 0)
        fprintf(stderr, "collsel: COLLSEL_LEARNT: %s\n", err.text);
    free(text);
}

/* What cannot be asked now cannot later. */
static void ask_model(struct library *lib, int rank)
{
    struct err err = { 0 };
    if (models_begin(&lib->models, &lib->settings, lib->own,
                     &library_group(lib, MPI_COMM_WORLD)->shape, &err) < 0 &&
        rank == 0) {
        err_prefix(&err, "COLLSEL_MODEL");
        end_program(err.text);
    }
    PMPI_Barrier(MPI_COMM_WORLD); /* as in read_table */
}

/* What an earlier run left: where the application aborts nobody takes it for this run's. */
static void remove_old(const char *path)
{
    struct stat st;
    if (path && lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

void life_begin(void)
{
    const int64_t began_ns = clock_now();
    struct libcollsel_settings settings;
    int rank, level = MPI_THREAD_SINGLE;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    read_settings(&settings, rank);
    check_alike(&settings);
    if (settings.mode == LIBCOLLSEL_OFF)
        return;
    PMPI_Query_thread(&level); /* MPI_Init may give it, too, where a variable asks for it */
    struct library *lib = library_new(&settings, some_rank(level == MPI_THREAD_MULTIPLE));
    if (settings.table)
        lib->table = read_table(&settings, rank);
    if (settings.model)
        ask_model(lib, rank);
    if (settings.learnt)
        read_learnt(lib, rank);
    if (rank == 0) {
        remove_old(settings.timeline);
        remove_old(settings.report);
    }
    clock_tree_init(&lib->clocks, &lib->clock, lib->own);
    global_clock_visit(&lib->clock, &lib->clocks);
    library_enter(lib);
    lib->start_ns = clock_now() - began_ns;
}

/* Without MPI_COMM_WORLD nobody can add up: the process that the launcher calls the first tells its
 * own calls. */
static int is_first_process(void)
{
    static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK" };
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        if (getenv(ranks[i]))
            return strcmp(getenv(ranks[i]), "0") == 0;
    return 1;
}

void life_session_ends(void)
{
    struct profile p = { .mpi = MPI_NAME, .mode = "sessions", .procs = 1 };
    const char *mode = getenv("COLLSEL_MODE");
    if (counted_sessions(-1) > 0 || library_get() || !is_first_process() ||
        (mode && strcmp(mode, libcollsel_mode_words[LIBCOLLSEL_OFF]) == 0))
        return;
    fill_counted(&p, counted_all());
    profile_print_counted(&p, stderr);
    if (getenv("COLLSEL_REPORT"))
        write_report(&p, getenv("COLLSEL_REPORT"));
    profile_clear(&p);
}

/* What is called here is no call of the application. */
void life_end(void)
{
    struct library *lib = library_get();
    if (!lib)
        return;
    library_leave(lib);
    global_clock_visit(&lib->clock, &lib->clocks);
    summary_make(lib);
    if (lib->settings.timeline)
        timeline_write(lib);
    int rank;
    PMPI_Comm_rank(lib->own, &rank);
    if (rank == 0 && lib->settings.learnt && lib->learnt.n)
        write_learnt(lib);
    clock_tree_clear(&lib->clocks);
    library_free(lib);
}
