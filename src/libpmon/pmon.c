/* SPDX-License-Identifier: MIT */
/*
 * libpmon, all of it: regions become rows of DIR/NAME.  It is linked into
 * other people's programs, so it must not print, exit, block on a full disk,
 * raise a signal, or allocate after the first call; it needs libc alone.
 *
 * One row is one write(2) on an O_APPEND descriptor, or in buffered mode part
 * of one; the kernel keeps such writes apart, between processes too.
 */
#define PMON_INLINE /* this file has the functions that others inline */
#include "pmon.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "open.h"

/* Values of pmon_regions_state; pmon.h knows PMON_STATE_OFF. */
enum { UNDECIDED = 0, OFF = PMON_STATE_OFF, WRITTEN = 2, BUFFERED = 3 };

enum {
    NS_PER_S = 1000000000,
    ROW_MAX = 2 * PMON_NAME_MAX + 6 /* quotes */ + 2 /* commas */
              + 2 * 20 /* digits */ + 2 /* CR LF */,
    BUFFERS = 64,
    ENTRIES_BYTES = 16 * 1024,
    TEXT_BYTES = 32 * 1024, /* more than such entries make, as a rule */
    SLOT_TRIES = 64,
    NAP_NS = 50 * 1000,
    NAPS = 20000, /* a second and more */
    MEND_LOOKS = 100,
};

/* A row that waits in memory, and the next one right behind its name. */
struct entry {
    uint64_t start_ns;
    uint64_t duration_ns;
    size_t length; /* of the name */
    char name[];
};

enum { ENTRY_MAX = sizeof(struct entry) + PMON_NAME_MAX + 1 };

/*
 * The rows of one thread; of several where there are more threads than
 * buffers.  Nobody waits for a busy buffer to add a row: the row is written
 * at once instead.  They become text when they are written: in a row of its
 * own, between two readings of the clock, that costs three times as much.
 */
struct buffer {
    atomic_int busy;
    atomic_int owned;
    size_t used;
    alignas(8) char entries[ENTRIES_BYTES];
    char text[TEXT_BYTES - 16];
};

/* What a forked child finds empty, even one that libc knows nothing of. */
struct memory {
    atomic_uint writers; /* threads that are writing a row past the buffers */
    atomic_uint claimed; /* buffers from here on were never used */
    atomic_uint pid;     /* 0: ask */
    char pad[4096 - 12];
    struct buffer buffer[BUFFERS];
};

/* The file.  Changed only while off, with no writer and no row left. */
static struct {
    int fd;
    bool seed;
} out = {-1, false};

static struct {
    atomic_ullong rows, lost, torn, untold;
    atomic_int error;
} counts;

/* Each set once, before regions are first on, and kept for good. */
static struct memory *memory;
static pthread_key_t thread_buffer;
static struct {
    _Atomic(struct pmon_open_slot *) slots; /* NULL: nobody is told */
    uint64_t count;
} told;

static atomic_int deciding; /* the pid of whoever changes what is above */

int pmon_regions_state = UNDECIDED;

static int
state_get(void)
{
    return __atomic_load_n(&pmon_regions_state, __ATOMIC_SEQ_CST);
}

static bool
state_change(int from, int to)
{
    return __atomic_compare_exchange_n(&pmon_regions_state, &from, to, false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void
nap(void)
{
    int saved = errno;
    int cancel;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    nanosleep(&(struct timespec){0, NAP_NS}, NULL);
    pthread_setcancelstate(cancel, NULL);
    errno = saved;
}

/* ---- clocks ---- */

static uint64_t
clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * CLOCK_REALTIME at an instant that CLOCK_MONOTONIC has just been read for.
 *
 * The kernel keeps one clock and makes the other by adding an offset that
 * changes only when the time is set or the machine sleeps (slewing moves
 * both).  The coarse clocks differ by the same offset to the nanosecond, and
 * reading both costs half of one real reading: no counter is read.  While
 * they show the offset that is known, the sum is what CLOCK_REALTIME would
 * say; in any other case that clock is asked.  An offset is believed when no
 * tick fell between the readings.
 */
static uint64_t
realtime_ns(uint64_t mono_ns)
{
    static _Atomic uint64_t known;
    uint64_t real = clock_ns(CLOCK_REALTIME_COARSE);
    uint64_t offset = real - clock_ns(CLOCK_MONOTONIC_COARSE);

    if (offset == atomic_load_explicit(&known, memory_order_relaxed))
        return mono_ns + offset;
    if (clock_ns(CLOCK_REALTIME_COARSE) == real)
        atomic_store_explicit(&known, offset, memory_order_relaxed);
    return clock_ns(CLOCK_REALTIME);
}

/* ---- rows ---- */

/*
 * How much of a name is recorded: at most PMON_NAME_MAX bytes, and no part of
 * a UTF-8 character (which has up to 3 bytes of the form 10xxxxxx behind its
 * first).
 */
static size_t
name_length(const char *name)
{
    size_t length = strnlen(name, PMON_NAME_MAX + 1);

    if (length <= PMON_NAME_MAX)
        return length;
    for (length = PMON_NAME_MAX; length > PMON_NAME_MAX - 4; length--)
        if (((unsigned char)name[length] & 0xc0) != 0x80)
            return length;
    return PMON_NAME_MAX; /* no UTF-8 */
}

/* Copies what is recorded of a name, without a NUL.  By bytes, for names are
 * short: between two clock readings that takes a third of strnlen() and
 * memcpy(). */
static size_t
name_copy(char *to, const char *name)
{
    size_t length = 0;

    while (length < PMON_NAME_MAX && name[length] != '\0') {
        to[length] = name[length];
        length++;
    }
    return length < PMON_NAME_MAX ? length : name_length(name);
}

static bool
needs_quotes(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (name[i] == ',' || name[i] == '"' || name[i] == '\r' ||
            name[i] == '\n')
            return true;
    return false;
}

static char *
put_name(char *to, const char *name, size_t length)
{
    if (!memchr(name, '"', length)) {
        memcpy(to, name, length);
        return to + length;
    }
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '"')
            *to++ = '"';
        *to++ = name[i];
    }
    return to;
}

static unsigned
digits_count(uint64_t value)
{
    unsigned digits = 1;

    for (; value >= 10000; value /= 10000)
        digits += 4;
    return digits + (value >= 10) + (value >= 100) + (value >= 1000);
}

/* Four digits a turn: a row has some 28 of them. */
static char *
put_number(char *to, uint64_t value)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324"
        "25262728293031323334353637383940414243444546474849"
        "50515253545556575859606162636465666768697071727374"
        "75767778798081828384858687888990919293949596979899";
    char *end = to + digits_count(value);
    char *at = end;
    unsigned rest;

    for (; value >= 10000; value /= 10000) {
        unsigned four = (unsigned)(value % 10000);

        at -= 4;
        memcpy(at, pairs + four / 100 * 2, 2);
        memcpy(at + 2, pairs + four % 100 * 2, 2);
    }
    for (rest = (unsigned)value; rest >= 10; rest /= 100)
        memcpy(at -= 2, pairs + rest % 100 * 2, 2);
    if (at > to)
        *to = (char)('0' + rest);
    return end;
}

/* Makes a row in `to`, which has ROW_MAX bytes; returns its length. */
static size_t
row_format(char *to, bool seed, const char *name, size_t length,
           uint64_t start_ns, uint64_t duration_ns)
{
    bool quote = !seed || needs_quotes(name, length);
    /* three bytes are put down, of which the style's width count */
    const char *comma = seed ? ",,," : "\",\"";
    size_t width = seed ? 1 : 3;
    char *end = to;

    if (quote)
        *end++ = '"';
    end = put_name(end, name, length);
    if (quote && seed)
        *end++ = '"';
    memcpy(end, comma, 3);
    end = put_number(end + width, start_ns);
    memcpy(end, comma, 3);
    end = put_number(end + width, duration_ns);
    if (!seed)
        *end++ = '"';
    *end++ = '\r';
    *end++ = '\n';
    return (size_t)(end - to);
}

/* How many of the bytes make up whole rows, and how many rows. */
static size_t
rows_whole(const char *text, size_t bytes, uint32_t *ret_rows)
{
    bool quoted = false;
    size_t whole = 0;

    *ret_rows = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        if (text[i] == '\n' && !quoted) {
            whole = i + 1;
            (*ret_rows)++;
        }
    }
    return whole;
}

/* ---- the file ---- */

/* SIGPIPE and SIGXFSZ held back, cancellation and errno set aside. */
struct quiet {
    sigset_t mask, pending;
    int cancel, saved;
};

static void
quiet_begin(struct quiet *quiet)
{
    sigset_t both;

    quiet->saved = errno;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &quiet->cancel);
    sigemptyset(&both);
    sigaddset(&both, SIGPIPE);
    sigaddset(&both, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &both, &quiet->mask);
    /* one can be waiting already only where the program itself blocks it */
    sigemptyset(&quiet->pending);
    if (sigismember(&quiet->mask, SIGPIPE) ||
        sigismember(&quiet->mask, SIGXFSZ))
        sigpending(&quiet->pending);
}

/* What a failed write has raised meanwhile is taken away. */
static void
quiet_end(struct quiet *quiet, bool failed)
{
    if (failed) {
        sigset_t raised;

        sigemptyset(&raised);
        if (!sigismember(&quiet->pending, SIGPIPE))
            sigaddset(&raised, SIGPIPE);
        if (!sigismember(&quiet->pending, SIGXFSZ))
            sigaddset(&raised, SIGXFSZ);
        while (sigtimedwait(&raised, NULL, &(struct timespec){0, 0}) > 0)
            continue;
    }
    pthread_sigmask(SIG_SETMASK, &quiet->mask, NULL);
    pthread_setcancelstate(quiet->cancel, NULL);
    errno = quiet->saved;
}

/*
 * Takes the half of a row that a full disk let through off the end of the
 * file again, if it is still the end.  Nobody else can append while the disk
 * is full, so a lock would only cost those who write in better times.
 */
static bool
take_back(const char *half, size_t bytes)
{
    char tail[ROW_MAX];
    struct stat st;
    off_t start;

    if (fstat(out.fd, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    start = st.st_size - (off_t)bytes;
    return start >= 0 && pread(out.fd, tail, bytes, start) == (ssize_t)bytes &&
           memcmp(tail, half, bytes) == 0 && ftruncate(out.fd, start) == 0;
}

/* Appends rows by one write; returns how many are in the file, to stay. */
static uint32_t
rows_write(const char *text, size_t bytes, uint32_t rows)
{
    struct quiet quiet;
    int error = 0;
    ssize_t n;

    quiet_begin(&quiet);
    do
        n = write(out.fd, text, bytes);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)bytes) {
        size_t got = n < 0 ? 0 : (size_t)n;
        size_t whole;

        error = n < 0 ? errno : ENOSPC;
        whole = rows_whole(text, got, &rows);
        if (got > whole && !take_back(text + whole, got - whole))
            atomic_fetch_add(&counts.torn, 1);
        atomic_store(&counts.error, error);
    }
    quiet_end(&quiet, error == EPIPE || error == EFBIG);
    atomic_fetch_add_explicit(&counts.rows, rows, memory_order_relaxed);
    return rows;
}

static void
row_write(const char *name, uint64_t start_ns, uint64_t duration_ns)
{
    char row[ROW_MAX];

    atomic_fetch_add(&memory->writers, 1);
    if (state_get() >= WRITTEN) {
        size_t bytes = row_format(row, out.seed, name, name_length(name),
                                  start_ns, duration_ns);

        if (rows_write(row, bytes, 1) == 0)
            atomic_fetch_add(&counts.lost, 1);
    }
    atomic_fetch_sub(&memory->writers, 1);
}

/* ---- buffers ---- */

/* False after a second: its owner hangs, or was left for good in mid-row. */
static bool
buffer_lock(struct buffer *buffer)
{
    for (int naps = 0; naps < NAPS; naps++) {
        if (!atomic_exchange_explicit(&buffer->busy, 1, memory_order_acquire))
            return true;
        nap();
    }
    return false;
}

static void
buffer_unlock(struct buffer *buffer)
{
    atomic_store_explicit(&buffer->busy, 0, memory_order_release);
}

static struct entry *
buffer_entry(struct buffer *buffer, size_t at)
{
    return (struct entry *)(void *)(buffer->entries + at);
}

static size_t
entry_size(size_t length)
{
    return (sizeof(struct entry) + length + 7) & ~(size_t)7;
}

/* Makes text of the entries from `at` on, as many as there is room for. */
static size_t
buffer_format(struct buffer *buffer, size_t at, uint32_t *ret_rows)
{
    size_t bytes = 0;

    *ret_rows = 0;
    while (at < buffer->used && bytes + ROW_MAX <= sizeof(buffer->text)) {
        const struct entry *entry = buffer_entry(buffer, at);

        bytes += row_format(buffer->text + bytes, out.seed, entry->name,
                            entry->length, entry->start_ns, entry->duration_ns);
        at += entry_size(entry->length);
        (*ret_rows)++;
    }
    return bytes;
}

/* Writes what the locked buffer holds.  What a full disk keeps out stays. */
static void
buffer_write(struct buffer *buffer)
{
    uint32_t rows = 0, written = 0;
    size_t at = 0;

    while (at < buffer->used && written == rows) {
        size_t bytes = buffer_format(buffer, at, &rows);

        written = rows_write(buffer->text, bytes, rows);
        for (uint32_t i = 0; i < written; i++)
            at += entry_size(buffer_entry(buffer, at)->length);
    }
    buffer->used -= at;
    memmove(buffer->entries, buffer->entries + at, buffer->used);
}

static void
buffer_drop(struct buffer *buffer)
{
    for (size_t at = 0; at < buffer->used;) {
        at += entry_size(buffer_entry(buffer, at)->length);
        atomic_fetch_add(&counts.lost, 1);
    }
    buffer->used = 0;
}

static void
buffer_add(struct buffer *buffer, const char *name, uint64_t start_ns,
           uint64_t duration_ns)
{
    struct entry *entry;

    if (buffer->used + ENTRY_MAX > sizeof(buffer->entries))
        buffer_write(buffer);
    if (buffer->used + ENTRY_MAX > sizeof(buffer->entries)) {
        atomic_fetch_add(&counts.lost, 1);
        return;
    }
    entry = buffer_entry(buffer, buffer->used);
    entry->start_ns = start_ns;
    entry->duration_ns = duration_ns;
    entry->length = name_copy(entry->name, name);
    buffer->used += entry_size(entry->length);
}

/* The destructor of the key: runs at the end of each thread that has one. */
static void
buffer_leave(void *value)
{
    struct buffer *buffer = value;

    if (buffer_lock(buffer)) {
        buffer_write(buffer);
        buffer_unlock(buffer);
    }
    atomic_store(&buffer->owned, 0);
}

/* A buffer for the calling thread: a free one, else one to share. */
static struct buffer *
buffer_claim(void)
{
    static atomic_uint shared;
    unsigned claimed = atomic_load(&memory->claimed);
    unsigned i = 0;

    while (i < BUFFERS && atomic_exchange(&memory->buffer[i].owned, 1))
        i++;
    if (i == BUFFERS)
        i = atomic_fetch_add(&shared, 1) % BUFFERS;
    while (claimed <= i &&
           !atomic_compare_exchange_weak(&memory->claimed, &claimed, i + 1))
        continue;
    if (pthread_setspecific(thread_buffer, &memory->buffer[i]) != 0) {
        atomic_store(&memory->buffer[i].owned, 0);
        return NULL;
    }
    return &memory->buffer[i];
}

/* False when the row has to be written past the buffer. */
static bool
buffer_row(const char *name, uint64_t start_ns, uint64_t duration_ns)
{
    struct buffer *buffer = pthread_getspecific(thread_buffer);
    int state;

    if (!buffer || !atomic_load_explicit(&buffer->owned, memory_order_relaxed))
        buffer = buffer_claim(); /* new, forked, or its owner has ended */
    if (!buffer ||
        atomic_exchange_explicit(&buffer->busy, 1, memory_order_acquire))
        return false;
    state = state_get();
    if (state == BUFFERED)
        buffer_add(buffer, name, start_ns, duration_ns);
    buffer_unlock(buffer);
    return state != WRITTEN;
}

/* Writes all buffers; `last` drops what could not be written and counts it.
 * False when one of them stayed busy or has rows left. */
static bool
buffers_write(bool last)
{
    unsigned claimed = atomic_load(&memory->claimed);
    bool all = true;

    for (unsigned i = 0; i < claimed; i++) {
        struct buffer *buffer = &memory->buffer[i];

        if (!buffer_lock(buffer)) {
            all = false;
            continue;
        }
        buffer_write(buffer);
        if (last)
            buffer_drop(buffer);
        all = all && buffer->used == 0;
        buffer_unlock(buffer);
    }
    return all;
}

/* ---- the table of open regions ---- */

static void
table_map_fd(int fd)
{
    struct pmon_open_table *table;
    struct stat st;
    int seals = fcntl(fd, F_GET_SEALS);
    size_t bytes;

    if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(fd, &st) != 0 ||
        st.st_size < (off_t)sizeof(*table))
        return;
    bytes = (size_t)st.st_size;
    table = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (table == MAP_FAILED)
        return;
    told.count = table->slots;
    if (table->magic == PMON_OPEN_MAGIC && told.count > 0 &&
        told.count <= (bytes - sizeof(*table)) / sizeof(table->slot[0]))
        atomic_store(&told.slots, table->slot);
    else
        munmap(table, bytes);
}

/* Maps the table that pmon offers, if it does. */
static void
table_map(void)
{
    const char *path = secure_getenv("PMON_REGIONS_OPEN");
    int fd;

    if (!path || atomic_load(&told.slots))
        return;
    fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0)
        return;
    table_map_fd(fd);
    close(fd);
}

static uint32_t
pid_get(void)
{
    uint32_t pid = atomic_load_explicit(&memory->pid, memory_order_relaxed);

    if (pid == 0) {
        pid = (uint32_t)getpid();
        atomic_store_explicit(&memory->pid, pid, memory_order_relaxed);
    }
    return pid;
}

/* Tells pmon of a region that has begun.  The search for a slot starts where
 * the stack lies: threads seldom meet, a thread comes back to warm memory.
 * Where one thread has many open, it goes on anywhere. */
__attribute__((noinline)) static void
table_tell(struct pmon_open_slot *slots, struct pmon_region *region)
{
    uint32_t pid = pid_get();
    uint64_t owner = pmon_open_owner(pid, region->start_mono_ns);
    uint64_t hash = ((uintptr_t)&pid >> 12) * 0x9e3779b97f4a7c15u;
    uint64_t at = (hash >> 32) * told.count >> 32;

    for (int tries = 0; tries < 2 * SLOT_TRIES; tries++) {
        struct pmon_open_slot *slot = &slots[at];
        uint64_t nobody = 0;

        if (atomic_load_explicit(&slot->owner, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_strong(&slot->owner, &nobody, owner)) {
            slot->name[name_copy(slot->name, region->name)] = '\0';
            slot->start_ns = region->start_ns;
            slot->start_mono_ns = region->start_mono_ns;
            atomic_store_explicit(&slot->owner, owner | PMON_OPEN_TOLD,
                                  memory_order_release);
            region->slot = (uint32_t)at + 1;
            region->pid = pid;
            return;
        }
        if (tries < SLOT_TRIES) {
            at = at + 1 < told.count ? at + 1 : 0;
        } else {
            hash = (hash + region->start_mono_ns) * 0x9e3779b97f4a7c15u;
            at = (hash >> 32) * told.count >> 32;
        }
    }
    atomic_fetch_add(&counts.untold, 1);
}

/* Gives the slot back; only once where a fork has doubled the region. */
static void
table_forget(const struct pmon_region *region)
{
    struct pmon_open_slot *slots = atomic_load(&told.slots);
    uint64_t owner =
        pmon_open_owner(region->pid, region->start_mono_ns) | PMON_OPEN_TOLD;

    if (slots && region->slot <= told.count)
        atomic_compare_exchange_strong(&slots[region->slot - 1].owner, &owner,
                                       0);
}

/* ---- switching on and off ---- */

/* The holder is known by its pid: a fork may copy a lock that is held by a
 * thread which the child has not. */
static void
decide_lock(void)
{
    int me = getpid();
    int holder = 0;

    while (!atomic_compare_exchange_strong(&deciding, &holder, me)) {
        if (holder != me &&
            atomic_compare_exchange_strong(&deciding, &holder, me))
            return;
        nap();
        holder = 0;
    }
}

static void
decide_unlock(void)
{
    atomic_store(&deciding, 0);
}

static void
fork_prepare(void)
{
    if (state_get() == BUFFERED)
        buffers_write(false);
}

/* The rows are the parent's; where the kernel can, it has emptied the memory
 * already. */
static void
fork_child(void)
{
    for (unsigned i = 0; i < atomic_load(&memory->claimed); i++) {
        struct buffer *buffer = &memory->buffer[i];

        buffer->used = 0;
        atomic_store(&buffer->owned, 0);
        atomic_store(&buffer->busy, 0);
    }
    atomic_store(&memory->writers, 0);
    atomic_store(&memory->claimed, 0);
    atomic_store(&memory->pid, 0);
    atomic_store(&counts.rows, 0);
    atomic_store(&counts.lost, 0);
    atomic_store(&counts.torn, 0);
    atomic_store(&counts.untold, 0);
    atomic_store(&counts.error, 0);
}

/* What comes later, from a thread that runs on, is written at once. */
__attribute__((destructor)) static void
process_ended(void)
{
    if (state_change(BUFFERED, WRITTEN))
        buffers_write(true);
}

/* All that is ever allocated; it stays, for threads may be anywhere in it. */
static int
memory_make(void)
{
    struct memory *made;
    int rc;

    if (memory)
        return 0;
    made = mmap(NULL, sizeof(*made), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED)
        return -errno;
    madvise(made, sizeof(*made), MADV_WIPEONFORK);
    rc = pthread_key_create(&thread_buffer, buffer_leave);
    if (rc == 0) {
        memory = made;
        rc = pthread_atfork(fork_prepare, NULL, fork_child);
        if (rc == 0)
            return 0;
        memory = NULL;
        pthread_key_delete(thread_buffer);
    }
    munmap(made, sizeof(*made));
    return -rc;
}

static void
regions_stop(void)
{
    bool idle = true;

    if (!state_change(WRITTEN, OFF) && !state_change(BUFFERED, OFF))
        return;
    for (int naps = 0; atomic_load(&memory->writers) > 0 && idle; naps++) {
        nap();
        idle = naps < NAPS;
    }
    /* a descriptor that somebody may still write to is left open */
    if (buffers_write(true) && idle)
        close(out.fd);
    out.fd = -1;
}

/* Rewrites the header so that a reader finds it whole at any time; one that
 * says the same already is left alone. */
static int
header_write(int dir, const char *name, bool seed)
{
    static const char *const lines[] = {
        "state,func_start,duration",
        "state_name,function_start_time,duration",
    };
    const char *line = lines[seed];
    size_t bytes = strlen(line);
    char path[NAME_MAX + 1], fresh[64], there[64];
    ssize_t n = -1;
    int fd;
    int rc = 0;

    snprintf(path, sizeof(path), "%s_headers", name);
    fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd >= 0) {
        n = read(fd, there, sizeof(there));
        close(fd);
    }
    if (n == (ssize_t)bytes && memcmp(there, line, bytes) == 0)
        return 0;
    snprintf(fresh, sizeof(fresh), ".pmon-%d-%llx", (int)getpid(),
             (unsigned long long)clock_ns(CLOCK_MONOTONIC));
    fd = openat(dir, fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return -errno;
    n = write(fd, line, bytes);
    if (n != (ssize_t)bytes)
        rc = n < 0 ? -errno : -ENOSPC;
    if (close(fd) != 0 && rc == 0)
        rc = -errno;
    if (rc == 0 && renameat(dir, fresh, dir, path) != 0)
        rc = -errno;
    if (rc != 0)
        unlinkat(dir, fresh, 0);
    return rc;
}

/* A killed process may have left half a row at the end: end it, so that it
 * spoils no other; with a field too many, where it may end in half a number.
 * Looked at for a while, for a row that a live process is writing can show by
 * halves. */
static void
file_mend(int fd)
{
    off_t bytes = 0;
    char last = '"';

    for (int looks = 0; looks < MEND_LOOKS; looks++) {
        struct stat st;

        if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
            (looks > 0 && st.st_size != bytes) || st.st_size == 0 ||
            pread(fd, &last, 1, st.st_size - 1) != 1 || last == '\n')
            return;
        bytes = st.st_size;
        nap();
    }
    if (last == '"' ? write(fd, "\r\n", 2) != 2 : write(fd, ",\r\n", 3) != 3)
        return;
}

/* Opens the row file.  A high descriptor number is one that a program which
 * closes all it does not know will not hand out to the next file at once. */
static int
file_open(int dir, const char *name)
{
    int fd = openat(
        dir, name,
        O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    int high;

    if (fd < 0)
        return -errno;
    high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
    if (high < 0)
        high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

static bool
name_is_file(const char *name)
{
    return *name && !strchr(name, '/') && strcmp(name, ".") != 0 &&
           strcmp(name, "..") != 0 &&
           strlen(name) <= NAME_MAX - strlen("_headers");
}

static int
folder_open(const char *dir)
{
    int fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0 && errno == ENOENT && (mkdir(dir, 0777) == 0 || errno == EEXIST))
        fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int
regions_start(const char *dir, const char *name, unsigned flags)
{
    bool seed = flags & PMON_SEED;
    int folder, fd, rc;

    if (!name_is_file(name) || (flags & ~(PMON_SEED | PMON_BUFFERED)))
        return -EINVAL;
    rc = memory_make();
    if (rc < 0)
        return rc;
    folder = folder_open(dir);
    if (folder < 0)
        return folder;
    fd = file_open(folder, name);
    rc = fd < 0 ? fd : header_write(folder, name, seed);
    close(folder);
    if (fd < 0)
        return rc;
    /* a header that a full disk keeps out costs no row */
    atomic_store(&counts.error, -rc);
    file_mend(fd);
    table_map();
    out.fd = fd;
    out.seed = seed;
    __atomic_store_n(&pmon_regions_state,
                     flags & PMON_BUFFERED ? BUFFERED : WRITTEN,
                     __ATOMIC_SEQ_CST);
    return 0;
}

/* 1 on, 0 off, or a negative errno: off. */
static int
start_by_environment(void)
{
    const char *dir = secure_getenv("PMON_REGIONS");
    const char *name = secure_getenv("PMON_REGIONS_NAME");
    const char *style = secure_getenv("PMON_REGIONS_STYLE");
    const char *buffer = secure_getenv("PMON_REGIONS_BUFFER");
    unsigned flags = 0;
    int rc;

    if (!dir || !*dir)
        return 0;
    if (style && strcmp(style, "seed") == 0)
        flags |= PMON_SEED;
    else if (style && *style && strcmp(style, "quoted") != 0)
        return -EINVAL;
    if (buffer && *buffer && strcmp(buffer, "0") != 0)
        flags |= PMON_BUFFERED;
    rc = regions_start(dir, name && *name ? name : "regions", flags);
    return rc < 0 ? rc : 1;
}

/* Closes what is open and starts with what is given, or by the environment if
 * dir is NULL; `first`: only if nothing was decided before. */
static int
regions_switch(bool first, const char *dir, const char *name, unsigned flags)
{
    struct quiet quiet;
    int rc = 1;

    quiet_begin(&quiet);
    decide_lock();
    if (!first || state_get() == UNDECIDED) {
        regions_stop();
        rc = dir ? regions_start(dir, name, flags) : start_by_environment();
        if (rc < 0)
            atomic_store(&counts.error, -rc);
        if (state_get() == UNDECIDED)
            state_change(UNDECIDED, OFF);
    }
    decide_unlock();
    quiet_end(&quiet, true);
    return rc;
}

/* Off is decided without a system call. */
static void
regions_decide_first(void)
{
    const char *dir = secure_getenv("PMON_REGIONS");

    if (dir && *dir)
        regions_switch(true, NULL, NULL, 0);
    else
        state_change(UNDECIDED, OFF);
}

/* ---- what the header promises ---- */

struct pmon_region
pmon_region_begin_on(const char *name)
{
    struct pmon_region region = {.name = name ? name : ""};
    struct pmon_open_slot *slots;

    if (state_get() == UNDECIDED)
        regions_decide_first();
    if (state_get() < WRITTEN)
        return region;
    region.start_mono_ns = clock_ns(CLOCK_MONOTONIC);
    region.start_ns = realtime_ns(region.start_mono_ns);
    slots = atomic_load_explicit(&told.slots, memory_order_acquire);
    if (slots)
        table_tell(slots, &region);
    return region;
}

static void
row_add(const char *name, uint64_t start_ns, uint64_t duration_ns)
{
    int state = state_get();

    if (state == BUFFERED && buffer_row(name, start_ns, duration_ns))
        return;
    if (state >= WRITTEN)
        row_write(name, start_ns, duration_ns);
}

void
pmon_region_end_on(const struct pmon_region *region)
{
    uint64_t duration_ns = clock_ns(CLOCK_MONOTONIC) - region->start_mono_ns;

    row_add(region->name, region->start_ns, duration_ns);
    if (region->slot)
        table_forget(region);
}

void
pmon_region_add(const char *name, uint64_t start_ns, uint64_t duration_ns)
{
    if (state_get() == UNDECIDED)
        regions_decide_first();
    row_add(name ? name : "", start_ns, duration_ns);
}

int
pmon_regions_open(const char *dir, const char *name, unsigned flags)
{
    return dir && name ? regions_switch(false, dir, name, flags) : -EINVAL;
}

int
pmon_regions_decide(void)
{
    return regions_switch(false, NULL, NULL, 0);
}

int
pmon_regions_flush(void)
{
    int error;

    if (state_get() != BUFFERED || buffers_write(false))
        return 0;
    error = atomic_load(&counts.error);
    return error ? -error : -EBUSY;
}

void
pmon_regions_close(void)
{
    struct quiet quiet;

    quiet_begin(&quiet);
    decide_lock();
    regions_stop();
    state_change(UNDECIDED, OFF);
    decide_unlock();
    quiet_end(&quiet, false);
}

void
pmon_regions_stats(struct pmon_regions_counts *ret_counts)
{
    *ret_counts = (struct pmon_regions_counts){
        .rows = atomic_load(&counts.rows),
        .lost = atomic_load(&counts.lost),
        .torn = atomic_load(&counts.torn),
        .untold = atomic_load(&counts.untold),
        .error = atomic_load(&counts.error),
        .on = state_get() >= WRITTEN,
    };
}
