/* Holds ttt.h against the conformance vectors: test_ttt TABLES VECTORS
 *
 * Writes every line of states.txt and events.txt from its own look-ups, compares it
 * with what is there, byte for byte, and checks that bad input is refused. */
#include <limits.h>
#include <stdlib.h>

#include "ttt.h"

enum {
    VARIANTS = 4,
    ENTRIES = 4,
    GAMES = 1 + 9 + 81 + 729 + 400, /* all of up to three attempts, and longer ones */
    LINE_SIZE = 256
};

static const char *const NAMES[VARIANTS] = {"standard", "fill", "misere", "fastest"};

static struct ttt_table tables[VARIANTS];
static struct ttt_error error;

static void fail(const char *format, ...)
{
    va_list details;

    fprintf(stderr, "test_ttt: ");
    va_start(details, format);
    vfprintf(stderr, format, details);
    va_end(details);
    fprintf(stderr, "\n");
    exit(1);
}

/* ---- Files of vectors ------------------------------------------------------------ */

struct vectors {
    char path[FILENAME_MAX];
    FILE *file;
    int number; /* of the line */
    char line[LINE_SIZE];
};

/* Reads the next line, newline included; the end of the file reads as an empty one. */
static void read_line(struct vectors *vectors)
{
    vectors->number++;
    if (!fgets(vectors->line, LINE_SIZE, vectors->file)) {
        if (ferror(vectors->file))
            fail("%s: cannot be read (%s)", vectors->path, strerror(errno));
        vectors->line[0] = '\0';
    }
}

/* Compares the line that was read last. */
static void expect(const struct vectors *vectors, const char *expected)
{
    const char *found = vectors->line;
    char quoted[2][TTT_QUOTED_SIZE];
    size_t same = 0;

    while (found[same] && found[same] == expected[same])
        same++;
    if (found[same] != expected[same])
        fail("%s: line %d, column %zu: found %s, expected %s", vectors->path,
             vectors->number, same + 1,
             ttt_quoted(quoted[0], found + same, strlen(found + same)),
             ttt_quoted(quoted[1], expected + same, strlen(expected + same)));
}

static void open_vectors(struct vectors *vectors, const char *directory,
                         const char *name, const char *first_line)
{
    if (ttt_join(vectors->path, directory, name, &error))
        fail("%s", error.message);
    vectors->number = 0;
    vectors->file = fopen(vectors->path, "rb");
    if (!vectors->file)
        fail("%s: cannot be read (%s)", vectors->path, strerror(errno));
    read_line(vectors);
    expect(vectors, first_line);
}

static void expect_end(struct vectors *vectors)
{
    if (getc(vectors->file) != EOF)
        fail("%s: line %d, column 1: found more, expected the end", vectors->path,
             vectors->number + 1);
    fclose(vectors->file);
}

/* ---- States ---------------------------------------------------------------------- */

/* Replaces the entry by what the array holds if the look-up has been refused because
 * the state has no meaning. */
static void settle(enum ttt_code code, int array, int *entry)
{
    static const int meaningless[ENTRIES] = {-128, -1, 0, 0};

    if (code == TTT_INVALID_BOARD)
        *entry = meaningless[array];
    else if (code)
        fail("%s", error.message);
}

static void look_up(const struct ttt_table *table, int index, int entries[ENTRIES])
{
    enum ttt_code (*const look_ups[ENTRIES])(const struct ttt_table *, long long, int *,
                                             struct ttt_error *) = {
        ttt_value_at, ttt_move_at, ttt_optimal_at, ttt_reachable_at};
    int array;

    for (array = 0; array < ENTRIES; array++)
        settle(look_ups[array](table, index, entries + array, &error), array,
               entries + array);
}

/* The same by board; the entries must be those that `look_up` found. */
static void expect_by_board(const struct ttt_table *table, const char *board, int turn,
                            const int entries[ENTRIES])
{
    enum ttt_code (*const look_ups[ENTRIES])(const struct ttt_table *, const char *,
                                             int, int *, struct ttt_error *) = {
        ttt_value, ttt_move, ttt_optimal, ttt_reachable};
    int array, found;

    for (array = 0; array < ENTRIES; array++) {
        settle(look_ups[array](table, board, turn, &found, &error), array, &found);
        if (found != entries[array])
            fail("%s: board %s, turn %d: array %d has %d by board, %d by index",
                 table->variant, board, turn, array, found, entries[array]);
    }
}

static void test_states(const char *directory)
{
    struct vectors vectors;
    int index;

    open_vectors(&vectors, directory, "states.txt",
                 "ttt-vectors 1.0 standard fill misere fastest\n");
    for (index = 0; index < TTT_STATES; index++) {
        char board[TTT_CELLS + 1], line[LINE_SIZE];
        int variant, turn, again = -1, size;

        if (ttt_decode(index, board, &turn, &error)
            || ttt_encode(board, turn, &again, &error))
            fail("%s", error.message);
        if (again != index)
            fail("index %d is board %s, turn %d, and that is index %d", index, board,
                 turn, again);
        size = snprintf(line, LINE_SIZE, "%s %d", board, turn);
        for (variant = 0; variant < VARIANTS; variant++) {
            int entries[ENTRIES], inferred;

            look_up(tables + variant, index, entries);
            expect_by_board(tables + variant, board, turn, entries);
            if (!ttt_infer_turn(board, &inferred, NULL) && inferred == turn)
                expect_by_board(tables + variant, board, TTT_INFER_TURN, entries);
            size += snprintf(line + size, LINE_SIZE - (size_t)size, " %d %d %d %d",
                             entries[0], entries[1], entries[2], entries[3]);
        }
        snprintf(line + size, LINE_SIZE - (size_t)size, "\n");
        read_line(&vectors);
        expect(&vectors, line);
    }
    expect_end(&vectors);
}

/* ---- Games ----------------------------------------------------------------------- */

/* Reads the line of an event and compares it. */
static void expect_event(struct vectors *vectors, char actor, int accepted,
                         const char *board, const char *status, char next, int cell)
{
    char line[LINE_SIZE];

    snprintf(line, LINE_SIZE, "%c %d %.3s %.3s %.3s %s %c %d,%d\n", actor, accepted,
             board, board + 3, board + 6, status, next, cell / 3, cell % 3);
    read_line(vectors);
    expect(vectors, line);
}

/* Marks a cell; returns the status of the game then. */
static const char *mark(char board[TTT_CELLS + 1], int cell, int turn)
{
    int move, value;

    board[cell] = "XO"[turn];
    if (ttt_move(tables, board, 1 - turn, &move, &error)
        || ttt_value(tables, board, 1 - turn, &value, &error))
        fail("%s", error.message);
    if (move != TTT_NO_MOVE)
        return "IN_PROGRESS";
    return value < 0 ? "X_WON" : value > 0 ? "O_WON" : "DRAW";
}

/* Plays the attempts of a line "moves 0,0 1,1", and compares every event. */
static int replay(struct vectors *vectors)
{
    char moves[LINE_SIZE], board[TTT_CELLS + 1] = ".........";
    const char *status = "IN_PROGRESS", *attempt = moves + strlen("moves");
    const int number = vectors->number;
    char quoted[TTT_QUOTED_SIZE];
    int events = 0;

    memcpy(moves, vectors->line, LINE_SIZE);
    for (; *attempt == ' '; attempt += strlen(" 0,0")) {
        int cell, in_progress = !strcmp(status, "IN_PROGRESS");

        if (strspn(attempt + 1, "012") != 1 || attempt[2] != ','
            || strspn(attempt + 3, "012") != 1)
            break;
        cell = 3 * (attempt[1] - '0') + attempt[3] - '0';
        if (!in_progress || board[cell] != '.') {
            expect_event(vectors, 'X', 0, board, status, in_progress ? 'X' : '-', cell);
            events++;
            continue;
        }
        status = mark(board, cell, 0);
        in_progress = !strcmp(status, "IN_PROGRESS");
        expect_event(vectors, 'X', 1, board, status, in_progress ? 'O' : '-', cell);
        events++;
        if (!in_progress)
            continue;
        if (ttt_move(tables, board, 1, &cell, &error))
            fail("%s", error.message);
        status = mark(board, cell, 1);
        in_progress = !strcmp(status, "IN_PROGRESS");
        expect_event(vectors, 'O', 1, board, status, in_progress ? 'X' : '-', cell);
        events++;
    }
    if (strcmp(attempt, "\n") != 0)
        fail("%s: line %d: found %s, expected ' 0,0' to ' 2,2' or the end of the line",
             vectors->path, number, ttt_quoted(quoted, attempt, strlen(attempt)));
    return events;
}

static int test_games(const char *directory)
{
    struct vectors vectors;
    int game, events = 0;

    open_vectors(&vectors, directory, "events.txt", "ttt-vectors 1.0 events\n");
    for (game = 0; game < GAMES; game++) {
        read_line(&vectors);
        if (strstr(vectors.line, "moves") != vectors.line)
            expect(&vectors, "moves");
        events += replay(&vectors);
    }
    expect_end(&vectors);
    return events;
}

/* ---- Bad input ------------------------------------------------------------------- */

static int refusals;

/* Makes sure that the last call was refused for this reason. */
static void expect_refusal(const char *call, enum ttt_code code, enum ttt_code expected,
                           const char *reason)
{
    if (code != expected)
        fail("%s: code %d, expected %d", call, (int)code, (int)expected);
    if (!strstr(error.message, reason))
        fail("%s: message is '%s', expected one with '%s'", call, error.message,
             reason);
    error.message[0] = '\0';
    refusals++;
}

#define REFUSED(call, code, reason) expect_refusal(#call, call, code, reason)

static void test_refusals(const char *directory)
{
    static struct ttt_table closed, values;
    const struct ttt_table *const standard = tables, *const fill = tables + 1;
    const long long indices[] = {
        -1, TTT_STATES, LLONG_MAX, LLONG_MIN, UINT_MAX, (1LL << 32) + 5};
    const struct {
        const char *board, *reason;
    } boards[] = {
        {NULL, "board is NULL"},
        {"", "board '' has 0 marks, expected 9"},
        {"XX.OO...", "board 'XX.OO...' has 8 marks"},
        {"XX.OO.....", "has more than 9 marks, expected 9"},
        {"xX.OO....", "board 'xX.OO....' has 'x' in cell 0; write X in upper case"},
        {"XX.Oo....", "has 'o' in cell 4; write O in upper case"},
        {"XX.OO...0", "has '0' in cell 8; write the letter O"},
        {"XX OO   .", "has ' ' in cell 2; write an empty cell as '.'"},
        {"XX_OO....", "write an empty cell as '.'"},
        {"XX-OO....", "write an empty cell as '.'"},
        {"XX.OO...\n", "has '\\n' in cell 8; the marks are 'X', 'O' and '.'"},
        {"XX.OO..\xC3\x9F", "has '\\xc3' in cell 7"},
    };
    const int turns[] = {-1, 2, INT_MAX, INT_MIN, 48};
    int n, result = 12345, turn = 12345;
    char board[TTT_CELLS + 1] = "untouched";
    char far[FILENAME_MAX + 10];

    for (n = 0; n < (int)(sizeof indices / sizeof *indices); n++) {
        const long long index = indices[n];
        char reason[LINE_SIZE];

        snprintf(reason, sizeof reason,
                 "index is %lld, expected an integer from 0 to 39365", index);
        REFUSED(ttt_value_at(fill, index, &result, &error), TTT_INVALID_INDEX, reason);
        REFUSED(ttt_move_at(fill, index, &result, &error), TTT_INVALID_INDEX, reason);
        REFUSED(ttt_optimal_at(fill, index, &result, &error), TTT_INVALID_INDEX,
                reason);
        REFUSED(ttt_reachable_at(fill, index, &result, &error), TTT_INVALID_INDEX,
                reason);
        REFUSED(ttt_decode(index, board, &turn, &error), TTT_INVALID_INDEX, reason);
    }
    for (n = 0; n < (int)(sizeof boards / sizeof *boards); n++) {
        const char *bad = boards[n].board, *reason = boards[n].reason;

        REFUSED(ttt_value(fill, bad, 0, &result, &error), TTT_INVALID_BOARD, reason);
        REFUSED(ttt_move(fill, bad, 1, &result, &error), TTT_INVALID_BOARD, reason);
        REFUSED(ttt_optimal(fill, bad, TTT_INFER_TURN, &result, &error),
                TTT_INVALID_BOARD, reason);
        REFUSED(ttt_reachable(fill, bad, 2, &result, &error), TTT_INVALID_BOARD,
                reason);
        REFUSED(ttt_infer_turn(bad, &turn, &error), TTT_INVALID_BOARD, reason);
        REFUSED(ttt_encode(bad, 0, &result, &error), TTT_INVALID_BOARD, reason);
    }
    for (n = 0; n < (int)(sizeof turns / sizeof *turns); n++) {
        REFUSED(ttt_value(fill, "XX.OO....", turns[n], &result, &error),
                TTT_INVALID_BOARD, "expected 0 (X moves next) or 1 (O moves next)");
        REFUSED(ttt_encode("XX.OO....", turns[n], &result, &error), TTT_INVALID_BOARD,
                "turn is ");
    }
    REFUSED(ttt_infer_turn("XX.......", &turn, &error), TTT_INVALID_BOARD,
            "board 'XX.......' has 2 X and 0 O; X moves first");
    REFUSED(ttt_value(fill, "OX.O.....", TTT_INFER_TURN, &result, &error),
            TTT_INVALID_BOARD, "has 1 X and 2 O");

    REFUSED(ttt_value(standard, "XXXOOO...", 0, &result, &error), TTT_INVALID_BOARD,
            "standard: board 'XXXOOO...' shows a line of X and a line of O");
    REFUSED(ttt_move(standard, "XXXOOO...", 0, &result, &error), TTT_INVALID_BOARD,
            "play ends at the first line");
    REFUSED(ttt_optimal(standard, "XXXOOO...", TTT_INFER_TURN, &result, &error),
            TTT_INVALID_BOARD, "a line of O");
    REFUSED(ttt_reachable(standard, "XXXOOO...", 1, &result, &error), TTT_INVALID_BOARD,
            "a line of O");

    REFUSED(ttt_open(&closed, directory, "Standard", &error), TTT_UNKNOWN_VARIANT,
            "variant is 'Standard', expected one of fastest, fill, misere, standard");
    REFUSED(ttt_open(&closed, directory, NULL, &error), TTT_UNKNOWN_VARIANT, "NULL");
    REFUSED(ttt_open(&closed, directory, "", &error), TTT_UNKNOWN_VARIANT, "''");
    REFUSED(ttt_open(&closed, directory, "./fill", &error), TTT_UNKNOWN_VARIANT,
            "./fill");
    REFUSED(ttt_open(&closed, directory, "standard-standard-standard-standard", &error),
            TTT_UNKNOWN_VARIANT, "standard-standard-standard-standard");
    REFUSED(ttt_open(&closed, NULL, "fill", &error), TTT_TABLE_ERROR,
            "directory is NULL");
    REFUSED(ttt_open(&closed, "no/such", "fill", &error), TTT_TABLE_ERROR,
            "no/such/checksums.txt: cannot be read (");
    memset(far, 'x', sizeof far);
    far[sizeof far - 1] = '\0';
    REFUSED(ttt_open(&closed, far, "fill", &error), TTT_TABLE_ERROR,
            "expected fewer than");
    REFUSED(ttt_value_at(&closed, 0, &result, &error), TTT_TABLE_ERROR, "is not open;");

    if (ttt_open_values(&values, directory, "fill", &error)
        || ttt_value(&values, "OOO......", 1, &turn, &error))
        fail("%s", error.message);
    if (turn != 3)
        fail("ttt_open_values: the value of OOO......, turn 1 is %d, expected 3", turn);
    turn = 12345;
    REFUSED(ttt_move_at(&values, 0, &result, &error), TTT_TABLE_ERROR,
            "more than values");
    REFUSED(ttt_optimal_at(&values, 0, &result, &error), TTT_TABLE_ERROR, "more than");
    REFUSED(ttt_reachable_at(&values, 0, &result, &error), TTT_TABLE_ERROR,
            "more than");
    REFUSED(ttt_open_values(&values, directory, "no", &error), TTT_UNKNOWN_VARIANT,
            "'no'");
    REFUSED(ttt_value_at(&values, 0, &result, &error), TTT_TABLE_ERROR, "is not open;");

    if (ttt_open(&closed, "no/such", "fill", NULL) != TTT_TABLE_ERROR
        || ttt_value_at(fill, -1, &result, NULL) != TTT_INVALID_INDEX
        || ttt_value(fill, "X", 0, &result, NULL) != TTT_INVALID_BOARD)
        fail("without a struct ttt_error, bad input is not refused as it is with one");
    if (result != 12345 || turn != 12345 || strcmp(board, "untouched") != 0)
        fail("a refused call has written a result");
}

int main(int count, char **arguments)
{
    int variant, events;

    if (count != 3) {
        fprintf(stderr, "usage: test_ttt TABLES VECTORS\n");
        return 2;
    }
    for (variant = 0; variant < VARIANTS; variant++)
        if (ttt_open(tables + variant, arguments[1], NAMES[variant], &error))
            fail("%s", error.message);
    events = test_games(arguments[2]);
    test_states(arguments[2]);
    test_refusals(arguments[1]);
    printf("%d states of %d variants by index and by board, %d events of %d games, "
           "%d refusals: all as expected\n",
           TTT_STATES, VARIANTS, events, GAMES, refusals);
    return 0;
}
