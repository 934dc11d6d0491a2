/* Perfect 3x3 tic-tac-toe, looked up in its tables. C99 or C++11; this file is all.
 *
 *      0 | 1 | 2        X | X | .
 *     ---+---+---      ---+---+---
 *      3 | 4 | 5        O | O | .        "XX.OO....", X to move
 *     ---+---+---      ---+---+---
 *      6 | 7 | 8        . | . | .
 *
 * A board is a string of nine marks, 'X', 'O' or '.', in cell order. The turn is 0 if
 * X moves next, 1 if O does. Write the marks . X O as the digits 0 1 2, put the turn in
 * front, read all ten as one number in base 3: that is the index of the state, 0 to
 * 39,365; of the state above 0110220000 in base 3 = 9396.
 *
 *     static struct ttt_table table;
 *     struct ttt_error error;
 *     int move;
 *     if (ttt_open(&table, "tables", "standard", &error)
 *         || ttt_move(&table, "XX.OO....", TTT_INFER_TURN, &move, &error))
 *         fprintf(stderr, "%s\n", error.message);
 *
 * Every function that can fail returns TTT_OK, which is 0, or else the kind of error.
 * It then leaves its results alone and writes into `error`, unless that is NULL, what
 * was found, what was expected and the remedy. A state that has no meaning (in a
 * variant that ends at a line, both sides have one) is refused like a malformed board.
 *
 * The caller provides the memory; nothing here allocates, prints, exits, or keeps
 * anything between calls. Any number of threads may look up in one open table.
 */
#ifndef TTT_H
#define TTT_H

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    TTT_CELLS = 9,
    TTT_BOARDS = 19683, /* 3 to the power of 9 */
    TTT_STATES = 2 * TTT_BOARDS,
    TTT_NO_MOVE = -1,
    TTT_INFER_TURN = -9999, /* X if the counts are equal; no number a slip would give */

    TTT_HEADER_SIZE = 128,
    TTT_MESSAGE_SIZE = 1024,
    TTT_QUOTED_SIZE = 2 + 4 * 40 + 4
};

enum ttt_code {
    TTT_OK,
    TTT_TABLE_ERROR,     /* tables are missing, damaged, of another version, not open */
    TTT_UNKNOWN_VARIANT, /* there are no tables for a variant of this name */
    TTT_INVALID_BOARD,   /* a board or turn is malformed, or the state has no meaning */
    TTT_INVALID_INDEX    /* an index is not from 0 to 39,365 */
};

struct ttt_error {
    char message[TTT_MESSAGE_SIZE];
};

/* One variant, some 200 KB: the arrays as they are in their files, header included. */
struct ttt_table {
    char variant[32];
    int arrays; /* how many of the following have been read and verified */
    unsigned char values[TTT_HEADER_SIZE + TTT_STATES];
    unsigned char moves[TTT_HEADER_SIZE + TTT_STATES];
    unsigned char optimal[TTT_HEADER_SIZE + 2 * TTT_STATES];
    unsigned char reachable[TTT_HEADER_SIZE + TTT_STATES];
};

/* ---- Errors ---------------------------------------------------------------------- */

static inline void ttt_explain(struct ttt_error *error, const char *format, ...)
{
    va_list details;

    if (error) {
        va_start(details, format);
        vsnprintf(error->message, sizeof error->message, format, details);
        va_end(details);
    }
}

/* The same about a file. Of a long path the end is shown, so that all the rest fits. */
static inline void ttt_explain_file(struct ttt_error *error, const char *path,
                                    const char *format, ...)
{
    const size_t longest = 400, size = strlen(path);
    char fault[TTT_MESSAGE_SIZE / 2];
    va_list details;

    va_start(details, format);
    vsnprintf(fault, sizeof fault, format, details);
    va_end(details);
    ttt_explain(error, "%s%s: %s; rebuild with 'make tables', or copy the tables again",
                size > longest ? "..." : "",
                size > longest ? path + (size - longest) : path, fault);
}

/* Macros, so that compilers see that the code is an error's and no result is in use. */
#define TTT_REFUSE(code, error, ...) (ttt_explain(error, __VA_ARGS__), code)
#define TTT_REFUSE_FILE(error, path, ...) \
    (ttt_explain_file(error, path, __VA_ARGS__), TTT_TABLE_ERROR)

/* Writes text as a quoted literal in ASCII, cut short after 40 bytes. */
static inline const char *ttt_quoted(char quoted[TTT_QUOTED_SIZE], const void *text,
                                     size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t shown = size < 40 ? size : 40;
    const int apostrophes = memchr(text, '\'', shown) && !memchr(text, '"', shown);
    const char quote = apostrophes ? '"' : '\'';
    char *end = quoted;
    size_t position;

    *end++ = quote;
    for (position = 0; position < shown; position++) {
        const unsigned char byte = bytes[position];

        if (byte == '\t' || byte == '\n' || byte == '\r') {
            *end++ = '\\';
            *end++ = byte == '\t' ? 't' : byte == '\n' ? 'n' : 'r';
        } else if (byte < ' ' || byte > '~') {
            *end++ = '\\';
            *end++ = 'x';
            *end++ = "0123456789abcdef"[byte >> 4];
            *end++ = "0123456789abcdef"[byte & 15];
        } else {
            if (byte == '\\' || byte == (unsigned char)quote)
                *end++ = '\\';
            *end++ = (char)byte;
        }
    }
    *end++ = quote;
    memcpy(end, size > shown ? "..." : "", size > shown ? 4 : 1);
    return quoted;
}

/* Says what to write instead of a character that is no mark, or returns NULL. */
static inline const char *ttt_hint(int character)
{
    switch (character) {
    case 'x':
        return "write X in upper case";
    case 'o':
        return "write O in upper case";
    case '0':
        return "write the letter O, not the digit 0";
    case '_':
    case '-':
    case ' ':
        return "write an empty cell as '.'";
    default:
        return NULL;
    }
}

/* ---- Boards, turns and the index ------------------------------------------------- */

/* Reads the board's number, its index with X to move, and the turn that the counts
 * imply: 0 or 1, or any other difference of counts if no game has them. Looks at ten
 * bytes of the board at most. */
static inline enum ttt_code ttt_read_board(const char *board, int *numeral, int *turn,
                                           struct ttt_error *error)
{
    char quoted[TTT_QUOTED_SIZE];
    int cell, number = 0, difference = 0, unknown = -1;

    if (!board)
        return TTT_REFUSE(TTT_INVALID_BOARD, error,
                          "board is NULL, expected 9 marks such as 'XX.OO....'");
    for (cell = 0; cell < TTT_CELLS && board[cell]; cell++) {
        const char mark = board[cell];

        number = 3 * number + (mark == 'X' ? 1 : mark == 'O' ? 2 : 0);
        difference += (mark == 'X') - (mark == 'O');
        if (mark != 'X' && mark != 'O' && mark != '.' && unknown < 0)
            unknown = cell;
    }
    if (unknown >= 0 && (unsigned char)board[unknown] > 127)
        return TTT_REFUSE(TTT_INVALID_BOARD, error,
                          "board %s has a character beyond ASCII in cell %d; "
                          "write the Latin letters X and O, and '.' for an empty cell",
                          ttt_quoted(quoted, board, (size_t)cell), unknown);
    if (cell < TTT_CELLS || board[cell])
        return TTT_REFUSE(TTT_INVALID_BOARD, error,
                          "board %s%s has %s%d marks, expected %d: row by row from the "
                          "top left, '.' for an empty cell",
                          ttt_quoted(quoted, board, (size_t)cell),
                          cell < TTT_CELLS ? "" : "...",
                          cell < TTT_CELLS ? "" : "more than ", cell, TTT_CELLS);
    if (unknown >= 0) {
        const char *hint = ttt_hint(board[unknown]);
        char mark[TTT_QUOTED_SIZE];

        return TTT_REFUSE(TTT_INVALID_BOARD, error, "board %s has %s in cell %d; %s",
                          ttt_quoted(quoted, board, TTT_CELLS),
                          ttt_quoted(mark, board + unknown, 1), unknown,
                          hint ? hint : "the marks are 'X', 'O' and '.'");
    }
    *numeral = number;
    *turn = difference;
    return TTT_OK;
}

/* Whose turn the counts imply: 0 (X) if they are equal, else 1 (O). */
static inline enum ttt_code ttt_infer_turn(const char *board, int *turn,
                                           struct ttt_error *error)
{
    int numeral, difference;
    const enum ttt_code code = ttt_read_board(board, &numeral, &difference, error);

    if (code)
        return code;
    if (difference != 0 && difference != 1) {
        int cell, xs = 0;

        for (cell = 0; cell < TTT_CELLS; cell++)
            xs += board[cell] == 'X';
        return TTT_REFUSE(TTT_INVALID_BOARD, error,
                          "board '%s' has %d X and %d O; X moves first, so a game has "
                          "as many X as O, or one more",
                          board, xs, xs - difference);
    }
    *turn = difference;
    return TTT_OK;
}

/* The index of a state. With a turn of 0 or 1 any board will do; with TTT_INFER_TURN
 * its counts must be ones that a game can have. */
static inline enum ttt_code ttt_encode(const char *board, int turn, int *index,
                                       struct ttt_error *error)
{
    int numeral, difference;
    enum ttt_code code = ttt_read_board(board, &numeral, &difference, error);

    if (code)
        return code;
    if (turn == TTT_INFER_TURN) {
        code = ttt_infer_turn(board, &turn, error);
        if (code)
            return code;
    }
    if (turn != 0 && turn != 1)
        return TTT_REFUSE(TTT_INVALID_BOARD, error,
                          "turn is %d, expected 0 (X moves next) or 1 (O moves next)",
                          turn);
    *index = TTT_BOARDS * turn + numeral;
    return TTT_OK;
}

/* The board, as a string, and the turn that an index stands for. The index is of a wide
 * type so that no number wraps round into the range on its way here. */
static inline enum ttt_code ttt_decode(long long index, char board[TTT_CELLS + 1],
                                       int *turn, struct ttt_error *error)
{
    int cell, numeral;

    if (index < 0 || index >= TTT_STATES)
        return TTT_REFUSE(TTT_INVALID_INDEX, error,
                          "index is %lld, expected an integer from 0 to %d", index,
                          TTT_STATES - 1);
    numeral = (int)index;
    *turn = numeral >= TTT_BOARDS;
    board[TTT_CELLS] = '\0';
    for (cell = TTT_CELLS - 1; cell >= 0; cell--) {
        board[cell] = ".XO"[numeral % 3];
        numeral /= 3;
    }
    return TTT_OK;
}

/* ---- Files ----------------------------------------------------------------------- */

/* What checksums.txt says about a file, if it is listed there. */
struct ttt_promise {
    char name[48];
    int listed;
    uint32_t crc;
    size_t size;
};

/* CRC-32 as in zlib, eight bytes at a time: slice[n][b] is what a byte b does to the
 * remainder when n bytes follow it. */
struct ttt_crc {
    uint32_t slice[8][256];
};

static inline void ttt_prepare_crc(struct ttt_crc *crc)
{
    uint32_t byte;
    int n;

    for (byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;

        for (n = 0; n < 8; n++)
            rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
        crc->slice[0][byte] = rest;
    }
    for (n = 1; n < 8; n++)
        for (byte = 0; byte < 256; byte++) {
            const uint32_t rest = crc->slice[n - 1][byte];

            crc->slice[n][byte] = rest >> 8 ^ crc->slice[0][rest & 255];
        }
}

static inline uint32_t ttt_crc32(const struct ttt_crc *crc, const unsigned char *bytes,
                                 size_t size)
{
    uint32_t rest = 0xFFFFFFFFu;

    for (; size >= 8; size -= 8, bytes += 8) {
        rest ^= bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
                | (uint32_t)bytes[3] << 24;
        rest = crc->slice[7][rest & 255] ^ crc->slice[6][rest >> 8 & 255]
               ^ crc->slice[5][rest >> 16 & 255] ^ crc->slice[4][rest >> 24]
               ^ crc->slice[3][bytes[4]] ^ crc->slice[2][bytes[5]]
               ^ crc->slice[1][bytes[6]] ^ crc->slice[0][bytes[7]];
    }
    for (; size; size--)
        rest = rest >> 8 ^ crc->slice[0][(rest ^ *bytes++) & 255];
    return rest ^ 0xFFFFFFFFu;
}

static inline enum ttt_code ttt_join(char path[FILENAME_MAX], const char *directory,
                                     const char *name, struct ttt_error *error)
{
    const size_t size = directory ? strlen(directory) : 0;
    const char *slash = size && directory[size - 1] != '/' ? "/" : "";

    if (!directory)
        return TTT_REFUSE(TTT_TABLE_ERROR, error,
                          "directory is NULL, expected a path such as 'tables'");
    if (size + strlen(name) + 2 > FILENAME_MAX)
        return TTT_REFUSE(TTT_TABLE_ERROR, error,
                          "directory is a path of %zu bytes, expected fewer than %zu",
                          size, (size_t)FILENAME_MAX - strlen(name) - 1);
    snprintf(path, FILENAME_MAX, "%s%s%s", directory, slash, name);
    return TTT_OK;
}

/* Reads a line of checksums.txt, "crc size path\n", and returns where its path begins;
 * NULL if it is not exactly of that form. The newline is cut off. */
static inline const char *ttt_read_promise(char *line, uint32_t *crc, size_t *size)
{
    const char *digits = "0123456789abcdef", *digit, *path;
    const size_t end = strlen(line);
    int position;

    if (end == 0 || line[end - 1] != '\n')
        return NULL;
    line[end - 1] = '\0';
    *crc = 0;
    for (position = 0; position < 8; position++) {
        digit = (const char *)memchr(digits, line[position], 16);
        if (!digit)
            return NULL;
        *crc = *crc << 4 | (uint32_t)(digit - digits);
    }
    if (line[8] != ' ')
        return NULL;
    *size = 0;
    for (position = 9; position < 9 + 9 && line[position] != ' '; position++) {
        digit = (const char *)memchr(digits, line[position], 10);
        if (!digit)
            return NULL;
        *size = 10 * *size + (size_t)(digit - digits);
    }
    if (position == 9 || line[position] != ' ')
        return NULL;
    path = line + position + 1;
    for (position = 0; path[position]; position++)
        if ((unsigned char)path[position] <= ' ')
            return NULL;
    return position ? path : NULL;
}

/* Fills in what checksums.txt promises about the files named in `promises`, and the
 * names of all variants, as they are listed. */
static inline enum ttt_code ttt_read_checksums(const char *directory,
                                               struct ttt_promise *promises, int count,
                                               char variants[256],
                                               struct ttt_error *error)
{
    char path[FILENAME_MAX], line[256], quoted[TTT_QUOTED_SIZE];
    enum ttt_code code = ttt_join(path, directory, "checksums.txt", error);
    int number, failed, reason, n;
    FILE *file;

    if (code)
        return code;
    file = fopen(path, "rb");
    if (!file)
        return TTT_REFUSE_FILE(error, path, "cannot be read (%s)", strerror(errno));
    variants[0] = '\0';
    for (number = 1; fgets(line, sizeof line, file); number++) {
        uint32_t crc;
        size_t size, used = strlen(variants);
        const char *name = ttt_read_promise(line, &crc, &size), *values;

        if (!name) {
            code = TTT_REFUSE_FILE(
                error, path, "line %d is %s, expected CRC-32, size, path and a newline",
                number, ttt_quoted(quoted, line, strlen(line)));
            break;
        }
        values = strstr(name, "/values.npy");
        if (values)
            snprintf(variants + used, 256 - used, "%s%.*s", used ? ", " : "",
                     (int)(values - name), name);
        for (n = 0; n < count; n++)
            if (strcmp(name, promises[n].name) == 0) {
                promises[n].listed = 1;
                promises[n].crc = crc;
                promises[n].size = size;
            }
    }
    failed = ferror(file);
    reason = errno;
    fclose(file);
    if (failed)
        return TTT_REFUSE_FILE(error, path, "cannot be read (%s)", strerror(reason));
    return code;
}

/* Reads a file, once it is to the byte what checksums.txt promises. */
static inline enum ttt_code ttt_read_file(const char *path,
                                          const struct ttt_promise *promise,
                                          unsigned char *content, size_t capacity,
                                          const struct ttt_crc *crc,
                                          struct ttt_error *error)
{
    char quoted[TTT_QUOTED_SIZE];
    size_t size;
    uint32_t found;
    int more, failed, reason;
    FILE *file;

    if (!promise->listed)
        return TTT_REFUSE_FILE(error, path, "not listed in checksums.txt");
    if (promise->size > capacity)
        return TTT_REFUSE_FILE(error, path,
                               "checksums.txt promises %zu bytes, expected %zu at most",
                               promise->size, capacity);
    file = fopen(path, "rb");
    if (!file)
        return TTT_REFUSE_FILE(error, path, "cannot be read (%s)", strerror(errno));
    size = fread(content, 1, promise->size, file);
    more = size == promise->size && getc(file) != EOF;
    failed = ferror(file);
    reason = errno;
    fclose(file);
    if (failed)
        return TTT_REFUSE_FILE(error, path, "cannot be read (%s)", strerror(reason));
    if (more)
        return TTT_REFUSE_FILE(error, path, "expected %zu bytes, found more",
                               promise->size);
    if (size != promise->size)
        return TTT_REFUSE_FILE(error, path,
                               "expected %zu bytes, found %zu that begin with %s",
                               promise->size, size, ttt_quoted(quoted, content, size));
    found = ttt_crc32(crc, content, size);
    if (found != promise->crc)
        return TTT_REFUSE_FILE(error, path, "CRC-32 is %08lx, expected %08lx",
                               (unsigned long)found, (unsigned long)promise->crc);
    return TTT_OK;
}

/* Format 1 may gain arrays, variants and fields: any minor version will do. */
static inline enum ttt_code ttt_check_version(const char *directory,
                                              const struct ttt_promise *promise,
                                              const struct ttt_crc *crc,
                                              struct ttt_error *error)
{
    const char *expected = "ttt-tables 1.";
    size_t position = strlen(expected);
    char path[FILENAME_MAX], quoted[TTT_QUOTED_SIZE];
    unsigned char content[64] = {0};
    enum ttt_code code = ttt_join(path, directory, promise->name, error);

    if (!code)
        code = ttt_read_file(path, promise, content, sizeof content - 1, crc, error);
    if (code)
        return code;
    if (memcmp(content, expected, position) == 0) {
        while (content[position] >= '0' && content[position] <= '9')
            position++;
        if (position > strlen(expected) && content[position] == '\n'
            && position + 1 == promise->size)
            return TTT_OK;
    }
    return TTT_REFUSE_FILE(
        error, path, "found %s, expected 'ttt-tables 1.0\\n' or a later minor version",
        ttt_quoted(quoted, content, promise->size));
}

static inline enum ttt_code ttt_read_array(const char *directory,
                                           const struct ttt_promise *promise,
                                           const char *dtype, unsigned char *content,
                                           size_t size, const struct ttt_crc *crc,
                                           struct ttt_error *error)
{
    char path[FILENAME_MAX], quoted[TTT_QUOTED_SIZE];
    char header[TTT_HEADER_SIZE + 1], fields[TTT_HEADER_SIZE - 10];
    enum ttt_code code = ttt_join(path, directory, promise->name, error);

    if (!code)
        code = ttt_read_file(path, promise, content, size, crc, error);
    if (code)
        return code;
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10); /* 1.0, then 118 bytes of text */
    snprintf(fields, sizeof fields,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", dtype,
             TTT_STATES);
    snprintf(header + 10, sizeof header - 10, "%-117s\n", fields);
    if (promise->size == size && memcmp(content, header, TTT_HEADER_SIZE) == 0)
        return TTT_OK;
    return TTT_REFUSE_FILE(error, path,
                           "expected a .npy 1.0 file of %d items of dtype %s, %zu "
                           "bytes with the header, found %zu bytes that begin with %s",
                           TTT_STATES, dtype, size, promise->size,
                           ttt_quoted(quoted, content, promise->size));
}

/* Reads and verifies the first `count` of the arrays. */
static inline enum ttt_code ttt_open_arrays(struct ttt_table *table,
                                            const char *directory, const char *variant,
                                            int count, struct ttt_error *error)
{
    const char *const names[] = {"values", "moves", "optimal", "reachable"};
    const char *const dtypes[] = {"|i1", "|i1", "<u2", "|b1"};
    unsigned char *const contents[] = {table->values, table->moves, table->optimal,
                                       table->reachable};
    const size_t sizes[] = {sizeof table->values, sizeof table->moves,
                            sizeof table->optimal, sizeof table->reachable};
    struct ttt_promise promises[5] = {{"VERSION", 0, 0, 0}};
    char variants[256], quoted[TTT_QUOTED_SIZE];
    struct ttt_crc crc;
    enum ttt_code code;
    int n;

    table->arrays = 0;
    if (!variant)
        return TTT_REFUSE(TTT_UNKNOWN_VARIANT, error,
                          "variant is NULL, expected a name such as 'standard'");
    for (n = 0; n < count; n++)
        snprintf(promises[1 + n].name, sizeof promises->name, "%.32s/%s.npy", variant,
                 names[n]);
    code = ttt_read_checksums(directory, promises, 1 + count, variants, error);
    if (code)
        return code;
    ttt_prepare_crc(&crc);
    code = ttt_check_version(directory, promises, &crc, error);
    if (code)
        return code;
    if (strlen(variant) >= sizeof table->variant || !promises[1].listed)
        return TTT_REFUSE(TTT_UNKNOWN_VARIANT, error,
                          "variant is %s, expected one of %s",
                          ttt_quoted(quoted, variant, strlen(variant)), variants);
    for (n = 0; n < count; n++) {
        code = ttt_read_array(directory, promises + 1 + n, dtypes[n], contents[n],
                              sizes[n], &crc, error);
        if (code)
            return code;
    }
    strcpy(table->variant, variant);
    table->arrays = count;
    return TTT_OK;
}

/* Reads a variant's four arrays from a directory of tables and verifies every byte. */
static inline enum ttt_code ttt_open(struct ttt_table *table, const char *directory,
                                     const char *variant, struct ttt_error *error)
{
    return ttt_open_arrays(table, directory, variant, 4, error);
}

/* The same for who only asks for values; of the files, only theirs is read. */
static inline enum ttt_code ttt_open_values(struct ttt_table *table,
                                            const char *directory, const char *variant,
                                            struct ttt_error *error)
{
    return ttt_open_arrays(table, directory, variant, 1, error);
}

/* ---- Look-ups -------------------------------------------------------------------- */

/* Whether the table's first `arrays` arrays are open and answer for this index. */
static inline int ttt_answers(const struct ttt_table *table, int arrays,
                              long long index)
{
    return index >= 0 && index < TTT_STATES && table->arrays >= arrays
           && table->values[TTT_HEADER_SIZE + index] != 0x80; /* -128, no meaning */
}

/* Says why they do not. */
static inline enum ttt_code ttt_refuse_index(const struct ttt_table *table, int arrays,
                                             long long index, struct ttt_error *error)
{
    char board[TTT_CELLS + 1];
    int turn;

    if (ttt_decode(index, board, &turn, error))
        return TTT_INVALID_INDEX;
    if (table->arrays < arrays)
        return TTT_REFUSE(TTT_TABLE_ERROR, error,
                          "the table is not open%s; call ttt_open",
                          table->arrays ? " for more than values" : "");
    return TTT_REFUSE(TTT_INVALID_BOARD, error,
                      "%s: board '%s' shows a line of X and a line of O; play ends at "
                      "the first line, so no game leads there",
                      table->variant, board);
}

/* The minimax value from O's viewpoint: O maximises, X minimises. */
static inline enum ttt_code ttt_value_at(const struct ttt_table *table, long long index,
                                         int *value, struct ttt_error *error)
{
    if (!ttt_answers(table, 1, index))
        return ttt_refuse_index(table, 1, index, error);
    *value = (table->values[TTT_HEADER_SIZE + index] ^ 0x80) - 0x80;
    return TTT_OK;
}

/* The value from the mover's side: positive is good for the side to move. */
static inline enum ttt_code ttt_mover_value_at(const struct ttt_table *table,
                                               long long index, int *value,
                                               struct ttt_error *error)
{
    const enum ttt_code code = ttt_value_at(table, index, value, error);

    if (!code && index < TTT_BOARDS) /* X moves next */
        *value = -*value;
    return code;
}

/* The best cell, the smallest if there are several; TTT_NO_MOVE if play has ended. */
static inline enum ttt_code ttt_move_at(const struct ttt_table *table, long long index,
                                        int *move, struct ttt_error *error)
{
    if (!ttt_answers(table, 2, index))
        return ttt_refuse_index(table, 2, index, error);
    *move = (table->moves[TTT_HEADER_SIZE + index] ^ 0x80) - 0x80;
    return TTT_OK;
}

/* All the best cells: bit c is set if cell c is one; 0 if play has ended. */
static inline enum ttt_code ttt_optimal_at(const struct ttt_table *table,
                                           long long index, int *optimal,
                                           struct ttt_error *error)
{
    if (!ttt_answers(table, 3, index))
        return ttt_refuse_index(table, 3, index, error);
    *optimal = table->optimal[TTT_HEADER_SIZE + 2 * index]
               | table->optimal[TTT_HEADER_SIZE + 2 * index + 1] << 8;
    return TTT_OK;
}

/* 1 if a game from the empty board with X to move can lead to the state, else 0. */
static inline enum ttt_code ttt_reachable_at(const struct ttt_table *table,
                                             long long index, int *reachable,
                                             struct ttt_error *error)
{
    if (!ttt_answers(table, 4, index))
        return ttt_refuse_index(table, 4, index, error);
    *reachable = table->reachable[TTT_HEADER_SIZE + index] != 0;
    return TTT_OK;
}

/* The same by board and turn: 0, 1 or TTT_INFER_TURN. */

static inline enum ttt_code ttt_value(const struct ttt_table *table, const char *board,
                                      int turn, int *value, struct ttt_error *error)
{
    int index;
    const enum ttt_code code = ttt_encode(board, turn, &index, error);

    return code ? code : ttt_value_at(table, index, value, error);
}

static inline enum ttt_code ttt_mover_value(const struct ttt_table *table,
                                            const char *board, int turn, int *value,
                                            struct ttt_error *error)
{
    int index;
    const enum ttt_code code = ttt_encode(board, turn, &index, error);

    return code ? code : ttt_mover_value_at(table, index, value, error);
}

static inline enum ttt_code ttt_move(const struct ttt_table *table, const char *board,
                                     int turn, int *move, struct ttt_error *error)
{
    int index;
    const enum ttt_code code = ttt_encode(board, turn, &index, error);

    return code ? code : ttt_move_at(table, index, move, error);
}

static inline enum ttt_code ttt_optimal(const struct ttt_table *table,
                                        const char *board, int turn, int *optimal,
                                        struct ttt_error *error)
{
    int index;
    const enum ttt_code code = ttt_encode(board, turn, &index, error);

    return code ? code : ttt_optimal_at(table, index, optimal, error);
}

static inline enum ttt_code ttt_reachable(const struct ttt_table *table,
                                          const char *board, int turn, int *reachable,
                                          struct ttt_error *error)
{
    int index;
    const enum ttt_code code = ttt_encode(board, turn, &index, error);

    return code ? code : ttt_reachable_at(table, index, reachable, error);
}

#endif
