/*
 * ledger.c: threads, each with a connection of its own, book in one SQLite database:
 *
 *   ledger FILE JOURNAL_MODE THREADS BOOKINGS
 *
 * Prints a digest of who booked in which order, and how often a thread found the database busy.
 */
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static const char *file;
static int bookings;
static atomic_int busy;

static int run(sqlite3 *db, const char *statement, int (*row)(void *, int, char **, char **), void *data)
{
    int status;
    while ((status = sqlite3_exec(db, statement, row, data, NULL)) == SQLITE_BUSY)
        busy++;
    if (status) {
        fprintf(stderr, "%s: %s\n", statement, sqlite3_errmsg(db));
        exit(1);
    }
    return status;
}

static sqlite3 *open_it(void)
{
    sqlite3 *db;
    if (sqlite3_open(file, &db))
        exit(1);
    sqlite3_busy_timeout(db, 2);
    run(db, "PRAGMA synchronous=OFF", NULL, NULL);
    return db;
}

static void *book(void *number)
{
    sqlite3 *db = open_it();
    char statement[200];
    unsigned random = (unsigned)(long)number * 7919 + 1;
    for (int i = 0; i < bookings; i++) {
        random = random * 1103515245 + 12345;
        run(db, "BEGIN IMMEDIATE", NULL, NULL);
        snprintf(statement, sizeof statement,
                 "UPDATE account SET balance = balance + %u WHERE id = %u; "
                 "INSERT INTO ledger(thread, booking, balance) SELECT %ld, %d, sum(balance) FROM account "
                 "WHERE id < 20",
                 random % 100, random / 65536 % 100, (long)number, i);
        run(db, statement, NULL, NULL);
        run(db, "COMMIT", NULL, NULL);
    }
    sqlite3_close(db);
    return NULL;
}

static int add_row(void *digest, int count, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < count; i++)
        for (const char *at = values[i]; *at; at++)
            *(unsigned long *)digest = (*(unsigned long *)digest ^ (unsigned char)*at) * 1099511628211u;
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 64;
    file = argv[1];
    bookings = atoi(argv[4]);
    int count = atoi(argv[3]);
    char mode[64];
    snprintf(mode, sizeof mode, "PRAGMA journal_mode=%.20s", argv[2]);
    sqlite3 *db = open_it();
    run(db, mode, NULL, NULL);
    run(db,
        "CREATE TABLE account(id INTEGER PRIMARY KEY, balance INT);"
        "CREATE TABLE ledger(n INTEGER PRIMARY KEY AUTOINCREMENT, thread INT, booking INT, balance INT);"
        "WITH RECURSIVE r(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 99) INSERT INTO account "
        "SELECT i, 0 FROM r",
        NULL, NULL);
    pthread_t threads[64];
    for (long i = 0; i < count && i < 64; i++)
        pthread_create(&threads[i], NULL, book, (void *)i);
    for (int i = 0; i < count && i < 64; i++)
        pthread_join(threads[i], NULL);
    unsigned long digest = 14695981039346656037u;
    run(db, "SELECT thread, booking, balance FROM ledger ORDER BY n", add_row, &digest);
    printf("%lx, busy %d times\n", digest, busy);
    sqlite3_close(db);
    return 0;
}
