/* SPDX-License-Identifier: BSD-3-Clause */
/* fs: a file is whole under its name or not there; paths and directories at their limits. */
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/base/fs.h"
#include "tests/tap.h"

static char top[64];

static const char *at(const char *name)
{
    static char path[2][PATH_SIZE];
    static int turn;
    turn = !turn;
    snprintf(path[turn], PATH_SIZE, "%s/%s", top, name);
    return path[turn];
}

static void test_whole(void)
{
    struct err err = { 0 };
    struct whole_file f;
    size_t len = 0;
    is_int(0, fs_begin(&f, at("a/b/c.txt"), &err), "beginning a file makes its directories");
    fputs("half", f.file);
    fflush(f.file);
    ok(!fs_exists(at("a/b/c.txt")), "an uncommitted file is not there");
    ok(fs_exists(f.tmp), "but under its temporary name");
    fputs(" done", f.file);
    is_int(0, fs_commit(&f, &err), "commit succeeds");
    ok(fs_exists(at("a/b/c.txt")) && !fs_exists(f.tmp), "then it has its name alone");
    ok(!fs_exists(at("a/b/c.txt/d")), "below a file there is nothing");
    char *text = fs_read(at("a/b/c.txt"), &len, &err);
    is_str("half done", text, "and its content");
    is_int(9, (long long)len, "of the length told");
    free(text);
    fs_begin(&f, at("a/b/c.txt"), &err);
    fputs("worse", f.file);
    fs_abandon(&f);
    fs_abandon(&f);
    ok(!fs_exists(f.tmp), "an abandoned file leaves nothing, even twice");
    text = fs_read(at("a/b/c.txt"), NULL, &err);
    is_str("half done", text, "and the old content stays");
    free(text);
}

/* Two at once, and what others put in the way. */
static void test_names(void)
{
    struct err err = { 0 };
    struct whole_file one, two;
    char planted[PATH_SIZE + 32];
    fs_write(at("victim"), "kept", &err);
    fs_begin(&one, at("both"), &err);
    fs_begin(&two, at("both"), &err);
    fputs("first", one.file);
    fputs("the second", two.file);
    is_int(0, fs_commit(&one, &err), "of two who write a file at once one is ready");
    char *text = fs_read(at("both"), NULL, &err);
    is_str("first", text, "and it is its file");
    free(text);
    is_int(0, fs_commit(&two, &err), "then the other");
    text = fs_read(at("both"), NULL, &err);
    is_str("the second", text, "whose file it is then");
    free(text);
    snprintf(planted, sizeof planted, "%s", one.tmp);
    is_int(0, symlink(at("victim"), planted), "a link where we would write");
    is_int(0, fs_write(at("both"), "mine", &err), "is passed by");
    text = fs_read(at("victim"), NULL, &err);
    is_str("kept", text, "and not followed");
    free(text);
    unlink(planted);
}

static void test_full_disk(void)
{
    struct err err = { 0 };
    struct rlimit old, tight = { 4096, 4096 };
    fs_write(at("kept"), "old", &err);
    getrlimit(RLIMIT_FSIZE, &old);
    tight.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight); /* as a full disk: writes beyond fail */
    char *big = calloc(1, 100001);
    memset(big, 'x', 100000);
    int ret = fs_write(at("kept"), big, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    is_int(-1, ret, "a file that cannot be written whole is refused");
    has_str("/kept': File too large", err.text, "with path and reason");
    char *text = fs_read(at("kept"), NULL, &err);
    is_str("old", text, "the old one stays");
    ok(!fs_exists(at("kept.tmp")), "and no temporary one is left");
    free(text);
    free(big);
}

static void test_directories(void)
{
    struct err err = { 0 };
    struct stat st;
    is_int(0, fs_mkdirs(at("d/e/f"), &err), "a chain of directories is made");
    is_int(0, fs_mkdirs(at("d/e/f/"), &err), "making it again, with a slash, is fine");
    ok(stat(at("d/e/f"), &st) == 0 && S_ISDIR(st.st_mode), "it is one");
    fs_write(at("file"), "x", &err);
    is_int(-1, fs_mkdirs(at("file"), &err), "a file is not a directory");
    has_str("/file': Not a directory", err.text, "and the message says so");
    is_int(-1, fs_mkdirs(at("file/sub"), &err), "nor has it one inside");
    is_int(-1, fs_mkdirs("", &err), "no name is no directory");
    is_int(0, fs_mkdirs("/", &err), "the root is there");
    struct whole_file f;
    is_int(-1, fs_begin(&f, at("file/x"), &err), "no file can begin inside a file");
    fs_abandon(&f);
    is_int(-1, fs_begin(&f, "/proc/x", &err), "nor where none can be made");
    is_str("cannot write '/proc/x': No such file or directory", err.text,
           "which names the file, not a temporary one");
    is_int(-1, fs_begin(&f, at("d"), &err) || fs_commit(&f, &err) ? -1 : 0,
           "a file does not replace a directory");
}

static void test_paths(void)
{
    struct err err = { 0 };
    char buf[8];
    is_int(0, fs_path(buf, sizeof buf, &err, "%s", "1234567"), "a path that just fits is made");
    is_str("1234567", buf, "whole");
    is_int(-1, fs_path(buf, sizeof buf, &err, "%s", "12345678"), "one character more is refused");
    has_str("is too long", err.text, "and the message says why");
    char longest[PATH_SIZE + 1];
    memset(longest, 'p', PATH_SIZE);
    longest[PATH_SIZE] = '\0';
    struct whole_file f;
    is_int(-1, fs_begin(&f, longest, &err), "a name longer than any path is refused");
    is_int(-1, fs_mkdirs(longest, &err), "as a directory too");
}

static void test_read(void)
{
    struct err err = { 0 };
    size_t len = 7;
    static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 8192, 100000 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *text = calloc(1, sizes[i] + 1);
        memset(text, 'z', sizes[i]);
        fs_write(at("sized"), text, &err);
        char *back = fs_read(at("sized"), &len, &err);
        ok(back && len == sizes[i] && strcmp(back, text) == 0, "%zu bytes read back", sizes[i]);
        free(back);
        free(text);
    }
    ok(!fs_read(at("none"), &len, &err), "a file that is not there is refused");
    has_str("/none': No such file or directory", err.text, "with path and reason");
    ok(!fs_read(top, &len, &err), "so is a directory");
    has_str("Is a directory", err.text, "with the reason");
    ok(!fs_read("/dev/zero", &len, &err), "and a device without an end");
    is_str("'/dev/zero' is larger than 64 MiB", err.text, "... as is said");
}

/* Published FNV-1a 64 vectors (Fowler, Noll, Vo; draft-eastlake-fnv). */
static void test_digest(void)
{
    ok(fs_digest("", 0) == UINT64_C(0xcbf29ce484222325), "FNV-1a of nothing");
    ok(fs_digest("a", 1) == UINT64_C(0xaf63dc4c8601ec8c), "FNV-1a of 'a'");
    ok(fs_digest("foobar", 6) == UINT64_C(0x85944171f73967e8), "FNV-1a of 'foobar'");
}

/* Leaves the directory empty and removes it, so that a leaked file shows. */
static void test_nothing_left(void)
{
    static const char *const made[] = { "a/b/c.txt", "kept", "file", "sized", "victim", "both" };
    static const char *const dirs[] = { "a/b", "a", "d/e/f", "d/e", "d", "" };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        unlink(at(made[i]));
    int left = 0;
    for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
        left += rmdir(at(dirs[i])) != 0;
    is_int(0, left, "no stray file was left anywhere");
}

int main(void)
{
    char template[] = "/tmp/collsel-fs-t.XXXXXX";
    if (!mkdtemp(template))
        return 1;
    snprintf(top, sizeof top, "%s", template);
    test_whole();
    test_names();
    test_full_disk();
    test_directories();
    test_paths();
    test_read();
    test_digest();
    test_nothing_left();
    return tap_done();
}
