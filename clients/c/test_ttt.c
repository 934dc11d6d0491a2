/* Holds ttt.h against the conformance vectors: test_ttt TABLES VECTORS
 *
 * Writes every line of states.txt from its own look-ups, compares it with what is
 * there, and checks that bad input is refused and leaves results alone. */
#include <limits.h>
#include <stdlib.h>

#include "ttt.h"

enum {
    VARIANTS = 4,
    QUESTIONS = 5,
    LINE_SIZE = 256
};

static enum ttt_code (*const BY_INDEX[QUESTIONS])(const struct ttt_table *, long long,
                                                  int *, struct ttt_error *) = {
    ttt_value_at, ttt_mover_value_at, ttt_move_at, ttt_optimal_at, ttt_reachable_at};
static enum ttt_code (*const BY_BOARD[QUESTIONS])(const struct ttt_table *,
                                                  const char *, int, int *,
                                                  struct ttt_error *) = {
    ttt_value, ttt_mover_value, ttt_move, ttt_optimal, ttt_reachable};

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

/* ---- States ---------------------------------------------------------------------- */

/* Returns what a question found, or what the array holds if the state has no meaning
 * and the question has been refused. */
static int entry(enum ttt_code code, int question, int found)
{
    static const int meaningless[QUESTIONS] = {-128, -128, -1, 0, 0};

    if (code && code != TTT_INVALID_BOARD)
        fail("%s", error.message);
    return code ? meaningless[question] : found;
}

/* Asks by index, by board and turn, and by board alone if that implies the turn. */
static void look_up(const struct ttt_table *table, int index, const char *board,
                    int turn, int entries[QUESTIONS])
{
    int question, found = 0, inferred = -1, value;
    enum ttt_code code;

    (void)ttt_infer_turn(board, &inferred, NULL);
    for (question = 0; question < QUESTIONS; question++) {
        code = BY_INDEX[question](table, index, &found, &error);
        entries[question] = entry(code, question, found);
        code = BY_BOARD[question](table, board, turn, &found, &error);
        if (entry(code, question, found) != entries[question])
            fail("board %s, turn %d: question %d by board", board, turn, question);
        code = BY_BOARD[question](table, board, TTT_INFER_TURN, &found, &error);
        if (inferred == turn && entry(code, question, found) != entries[question])
            fail("board %s: question %d with its turn inferred", board, question);
    }
    value = entries[0];
    if (entries[1] != (turn || value == -128 ? value : -value))
        fail("board %s, turn %d: mover's value %d, value %d", board, turn, entries[1],
             value);
}

static void write_line(char line[LINE_SIZE], int index)
{
    char board[TTT_CELLS + 1];
    int variant, turn, again = -1, size;

    if (ttt_decode(index, board, &turn, &error)
        || ttt_encode(board, turn, &again, &error) || again != index)
        fail("index %d is not the index of the state that it stands for", index);
    size = snprintf(line, LINE_SIZE, "%s %d", board, turn);
    for (variant = 0; variant < VARIANTS; variant++) {
        int found[QUESTIONS];

        look_up(tables + variant, index, board, turn, found);
        size += snprintf(line + size, LINE_SIZE - (size_t)size, " %d %d %d %d", found[0],
                         found[2], found[3], found[4]);
    }
    snprintf(line + size, LINE_SIZE - (size_t)size, "\n");
}

static void test_states(const char *directory)
{
    char path[FILENAME_MAX], line[LINE_SIZE], found[LINE_SIZE];
    FILE *file;
    int index;

    if (ttt_join(path, directory, "states.txt", &error))
        fail("%s", error.message);
    file = fopen(path, "rb");
    if (!file)
        fail("%s: cannot be read (%s)", path, strerror(errno));
    snprintf(line, LINE_SIZE, "ttt-vectors 1.0 standard fill misere fastest\n");
    for (index = 0; index <= TTT_STATES; index++) {
        if (!fgets(found, LINE_SIZE, file) || strcmp(found, line) != 0)
            fail("%s: line %d is not %s", path, index + 1, line);
        if (index < TTT_STATES)
            write_line(line, index);
    }
    if (getc(file) != EOF)
        fail("%s: line %d: expected the end", path, index + 1);
    fclose(file);
}

/* ---- Bad input ------------------------------------------------------------------- */

static int refusals;

/* Makes sure that the last call was refused for this reason. */
static void expect_refusal(const char *call, enum ttt_code code, enum ttt_code expected,
                           const char *reason)
{
    if (code != expected || !strstr(error.message, reason))
        fail("%s: code %d, message '%s', expected code %d and '%s'", call, (int)code,
             error.message, (int)expected, reason);
    error.message[0] = '\0';
    refusals++;
}

#define REFUSED(call, code, reason) expect_refusal(#call, call, code, reason)

static void test_bad_questions(const struct ttt_table *standard,
                               const struct ttt_table *fill)
{
    static const long long indices[] = {
        -1, TTT_STATES, LLONG_MAX, LLONG_MIN, UINT_MAX, (1LL << 32) + 5};
    static const int turns[] = {-1, 2, INT_MAX, INT_MIN, '0'};
    static const char *const boards[][2] = {
        {NULL, "board is NULL"},
        {"", "board '' has 0 marks, expected 9"},
        {"XX.OO...", "board 'XX.OO...' has 8 marks"},
        {"XX.OO.....", "has more than 9 marks, expected 9"},
        {"xX.OO....", "board 'xX.OO....' has 'x' in cell 0; write X in upper case"},
        {"XX.Oo....", "has 'o' in cell 4; write O in upper case"},
        {"XX.OO...0", "has '0' in cell 8; write the letter O"},
        {"XX OO   .", "has ' ' in cell 2; write an empty cell as '.'"},
        {"XX.OO...\n", "has '\\n' in cell 8; the marks are 'X', 'O' and '.'"},
        {"XX.OO..\xC3\x9F", "has a character beyond ASCII in cell 7; write the Latin letters"},
    };
    int n, question, result = 12345, turn = 12345;
    char board[TTT_CELLS + 1] = "untouched";

    for (question = 0; question < QUESTIONS; question++) {
        for (n = 0; n < (int)(sizeof indices / sizeof *indices); n++)
            REFUSED(BY_INDEX[question](fill, indices[n], &result, &error),
                    TTT_INVALID_INDEX, ", expected an integer from 0 to 39365");
        for (n = 0; n < (int)(sizeof boards / sizeof *boards); n++)
            REFUSED(BY_BOARD[question](fill, boards[n][0], 0, &result, &error),
                    TTT_INVALID_BOARD, boards[n][1]);
        for (n = 0; n < (int)(sizeof turns / sizeof *turns); n++)
            REFUSED(BY_BOARD[question](fill, "XX.OO....", turns[n], &result, &error),
                    TTT_INVALID_BOARD, ", expected 0 (X moves next) or 1 (O moves");
        REFUSED(BY_BOARD[question](standard, "XXXOOO...", 0, &result, &error),
                TTT_INVALID_BOARD,
                "standard: board 'XXXOOO...' shows a line of X and a line of O");
    }
    REFUSED(ttt_decode(-1, board, &turn, &error), TTT_INVALID_INDEX, "index is -1,");
    REFUSED(ttt_infer_turn("XX", &turn, &error), TTT_INVALID_BOARD, "has 2 marks");
    REFUSED(ttt_infer_turn("XX.......", &turn, &error), TTT_INVALID_BOARD,
            "board 'XX.......' has 2 X and 0 O; X moves first");
    REFUSED(ttt_value(fill, "OX.O.....", TTT_INFER_TURN, &result, &error),
            TTT_INVALID_BOARD, "has 1 X and 2 O");
    if (ttt_value_at(fill, -1, &result, NULL) != TTT_INVALID_INDEX
        || ttt_value(fill, "X", 0, &result, NULL) != TTT_INVALID_BOARD)
        fail("without a struct ttt_error, bad input is not refused as it is with one");
    if (result != 12345 || turn != 12345 || strcmp(board, "untouched") != 0)
        fail("a refused call has written a result");
}

static void test_bad_tables(const char *directory)
{
    static struct ttt_table table;
    static const char *const variants[] = {
        "Standard", "", "./fill", "standard-standard-standard-standard"};
    char far[FILENAME_MAX + 10];
    int n, result;

    for (n = 0; n < (int)(sizeof variants / sizeof *variants); n++)
        REFUSED(ttt_open(&table, directory, variants[n], &error), TTT_UNKNOWN_VARIANT,
                "', expected one of fastest, fill, misere, standard");
    REFUSED(ttt_open(&table, directory, NULL, &error), TTT_UNKNOWN_VARIANT,
            "variant is NULL");
    REFUSED(ttt_open(&table, NULL, "fill", &error), TTT_TABLE_ERROR,
            "directory is NULL");
    REFUSED(ttt_open(&table, "no/such", "fill", &error), TTT_TABLE_ERROR,
            "no/such/checksums.txt: cannot be read (");
    memset(far, 'x', sizeof far);
    far[sizeof far - 1] = '\0';
    REFUSED(ttt_open(&table, far, "fill", &error), TTT_TABLE_ERROR, "expected fewer");

    if (ttt_open_values(&table, directory, "fill", &error)
        || ttt_mover_value(&table, "OOO......", 0, &result, &error))
        fail("%s", error.message);
    if (result != -1)
        fail("ttt_open_values: the mover's value is %d, expected -1", result);
    for (n = 2; n < QUESTIONS; n++)
        REFUSED(BY_INDEX[n](&table, 0, &result, &error), TTT_TABLE_ERROR,
                "not open for more than values");
    if (ttt_open_values(&table, directory, "no", NULL) != TTT_UNKNOWN_VARIANT)
        fail("ttt_open_values: no error for a variant that is not there");
    REFUSED(ttt_value_at(&table, 0, &result, &error), TTT_TABLE_ERROR, "is not open;");
}

int main(int count, char **arguments)
{
    static const char *const names[] = {"standard", "fill", "misere", "fastest"};
    int variant;

    if (count != 3) {
        fprintf(stderr, "usage: test_ttt TABLES VECTORS\n");
        return 2;
    }
    for (variant = 0; variant < VARIANTS; variant++)
        if (ttt_open(tables + variant, arguments[1], names[variant], &error))
            fail("%s", error.message);
    test_states(arguments[2]);
    test_bad_questions(tables, tables + 1);
    test_bad_tables(arguments[1]);
    printf("%d states of %d variants by index and by board, %d refusals: all as "
           "expected\n",
           TTT_STATES, VARIANTS, refusals);
    return 0;
}
