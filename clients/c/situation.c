/* A judge for the contest problem "Situation" (Codeforces gym 102800J): reads T, then T
 * queries of a turn (1 Alice, who plays O and maximises; 0 Bob, who plays X) and three
 * rows, and answers each with the value of the state in the variant `fill`.
 *
 * Answers, complaints and exit statuses are those of ttt-judge, the same in Python,
 * down to the name; that one says more about input that is no plain text. Any white
 * space may separate the tokens. It answers every complete query before it waits for
 * more input. */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "ttt.h"

#ifndef TTT_TABLES
#define TTT_TABLES "tables"
#endif

#ifndef CHUNK
#define CHUNK (1 << 15) /* how many bytes to read at once */
#endif

#define USAGE "usage: situation [--tables DIR] [FILE]\n"

#define HELP USAGE "\n\
Answers the contest problem \"Situation\" (Codeforces gym 102800J), one answer a line.\n\
Reads FILE, or standard input if it is left out or '-': first T, then T queries, each\n\
of them the turn (1 = Alice, who plays O and maximises; 0 = Bob, who plays X) and three\n\
rows of '.', 'X' and 'O'. The answer is lines of O minus lines of X once perfect play\n\
has filled the board. Any white space may separate the tokens. The tables are those in\n\
DIR, if it is left out in " TTT_TABLES ".\n\
\n\
Exit status: 0; 1 if the input is faulty, once every query before the fault has been\n\
answered, or if the tables are; 2 for wrong usage and a file that cannot be opened.\n"

enum {
    LONGEST_WORD = 64, /* a longer token is wrong whatever follows */
    LONGEST_COUNT = 18,
    QUERY_SIZE = 14, /* in the canonical layout, "t\nrrr\nrrr\nrrr\n" */
    MARK = 4, /* tells a mark's code from others; the rest of it is its digit */
    MARKS = MARK * ((TTT_BOARDS - 1) / 2) /* what nine of them add up to in base 3 */
};

static const unsigned char CODES[256] = {
    ['.'] = MARK, ['X'] = MARK | 1, ['O'] = MARK | 2};

static const struct token {
    const char *name, *symbols, *expected;
    size_t width;
} TOKENS[] = {
    {"turn", "01", "0 or 1", 1},
    {"row 1", ".XO", "3 marks, each . or X or O", 3},
    {"row 2", ".XO", "3 marks, each . or X or O", 3},
    {"row 3", ".XO", "3 marks, each . or X or O", 3},
};

struct word {
    const unsigned char *bytes;
    size_t size; /* 0 at the end of the input */
};

struct judge {
    const char *name; /* of the input */
    int source, ended;
    unsigned long long line, query; /* where the input has been used up to */
    size_t at, end;                 /* what has been read and not been used */
    size_t filled;
    unsigned char input[LONGEST_WORD + CHUNK];
    char output[1 << 16];
    char answers[TTT_STATES][4]; /* a line each, and its length */
};

static void fail(const char *place)
{
    fprintf(stderr, "ttt-judge: %s: %s\n", place, strerror(errno));
    exit(1);
}

static void flush(struct judge *judge)
{
    size_t written = 0;

    while (written < judge->filled) {
        const ssize_t size = write(1, judge->output + written, judge->filled - written);

        if (size >= 0)
            written += (size_t)size;
        else if (errno == EPIPE)
            exit(0); /* whoever reads the answers has seen enough */
        else if (errno != EINTR)
            fail("standard output");
    }
    judge->filled = 0;
}

/* Reads another chunk. What is yet to be used moves to the front: part of a token. */
static void read_more(struct judge *judge)
{
    ssize_t size;

    flush(judge);
    judge->end -= judge->at;
    memmove(judge->input, judge->input + judge->at, judge->end);
    judge->at = 0;
    do
        size = read(judge->source, judge->input + judge->end, CHUNK);
    while (size < 0 && errno == EINTR);
    if (size < 0)
        fail(judge->source ? judge->name : "standard input");
    judge->ended = size == 0;
    judge->end += (size_t)size;
}

/* Ends the program at a fault in the input. */
static void refuse(struct judge *judge, const char *format, ...)
{
    va_list details;

    flush(judge);
    fprintf(stderr, "ttt-judge: line %llu, ", judge->line);
    if (judge->query)
        fprintf(stderr, "query %llu: ", judge->query);
    else
        fprintf(stderr, "before query 1: ");
    va_start(details, format);
    vfprintf(stderr, format, details);
    va_end(details);
    fprintf(stderr, "\n");
    exit(1);
}

static int is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static void skip_space(struct judge *judge)
{
    for (; judge->at < judge->end && is_space(judge->input[judge->at]); judge->at++)
        judge->line += judge->input[judge->at] == '\n';
}

/* Takes the next token, once it is complete. */
static struct word next_word(struct judge *judge)
{
    struct word word = {NULL, 0};

    for (;;) {
        if (!word.size)
            skip_space(judge);
        while (judge->at + word.size < judge->end
               && !is_space(judge->input[judge->at + word.size]))
            word.size++;
        if (judge->ended || judge->at + word.size < judge->end
            || word.size > LONGEST_WORD)
            break;
        read_more(judge);
    }
    word.bytes = judge->input + judge->at;
    judge->at += word.size;
    return word;
}

static unsigned long long read_total(struct judge *judge)
{
    char quoted[TTT_QUOTED_SIZE];
    unsigned long long total = 0;
    struct word word;
    size_t digits;

    while (judge->end < 3 && !judge->ended)
        read_more(judge);
    if (judge->end >= 3 && memcmp(judge->input, "\xEF\xBB\xBF", 3) == 0)
        judge->at = 3; /* a byte-order mark */
    word = next_word(judge);
    if (!word.size)
        refuse(judge, "the input ends, expected T, the number of queries");
    for (digits = 0; digits < word.size && digits < LONGEST_COUNT; digits++) {
        if (word.bytes[digits] < '0' || word.bytes[digits] > '9')
            break;
        total = 10 * total + (unsigned long long)(word.bytes[digits] - '0');
    }
    if (digits < word.size)
        refuse(judge,
               "T is %s, expected the number of queries in plain digits, at most %d of "
               "them",
               ttt_quoted(quoted, word.bytes, word.size), LONGEST_COUNT);
    return total;
}

/* Returns the index that a query in the canonical layout spells; -1 for any other. */
static int canonical_index(const unsigned char *query)
{
    const int turn = query[0] - '0';
    int number = 0, seen = MARK, start;

    for (start = 2; start < QUERY_SIZE; start += 4) {
        const int left = CODES[query[start]];
        const int middle = CODES[query[start + 1]];
        const int right = CODES[query[start + 2]];

        number = 27 * number + 9 * left + 3 * middle + right;
        seen &= left & middle & right;
    }
    if ((turn != 0 && turn != 1) || !seen || query[1] != '\n' || query[5] != '\n'
        || query[9] != '\n' || query[13] != '\n')
        return -1;
    return TTT_BOARDS * turn + number - MARKS;
}

/* Takes a token of a query and returns its digits as a number. */
static int read_digits(struct judge *judge, const struct token *token,
                       unsigned long long total)
{
    const struct word word = next_word(judge);
    char quoted[TTT_QUOTED_SIZE];
    const char *hint = NULL;
    size_t right;
    int digits = 0;

    if (!word.size)
        refuse(judge, "the input ends, expected %s, as T is %llu", token->name, total);
    for (right = 0; right < word.size; right++) {
        const char *symbol = strchr(token->symbols, word.bytes[right]);

        if (!symbol || !*symbol)
            break;
        if (right < token->width)
            digits = 3 * digits + (int)(symbol - token->symbols);
    }
    if (right == word.size && right == token->width)
        return digits;
    if (right < word.size && token->width > 1)
        hint = ttt_hint(word.bytes[right]);
    refuse(judge, "%s is %s, expected %s%s%s", token->name,
           ttt_quoted(quoted, word.bytes, word.size), token->expected, hint ? "; " : "",
           hint ? hint : "");
    return -1;
}

static void answer(struct judge *judge)
{
    const unsigned long long total = read_total(judge);
    char quoted[TTT_QUOTED_SIZE];
    struct word word;
    int row;

    for (judge->query = 1; judge->query <= total; judge->query++) {
        int index = -1;

        skip_space(judge);
        if (judge->end - judge->at >= QUERY_SIZE)
            index = canonical_index(judge->input + judge->at);
        if (index >= 0) {
            judge->at += QUERY_SIZE;
            judge->line += 4;
        } else {
            index = read_digits(judge, TOKENS, total);
            for (row = 1; row <= 3; row++)
                index = 27 * index + read_digits(judge, TOKENS + row, total);
        }
        if (judge->filled > sizeof judge->output - sizeof judge->answers[index])
            flush(judge);
        memcpy(judge->output + judge->filled, judge->answers[index],
               sizeof judge->answers[index]);
        judge->filled += (size_t)judge->answers[index][3];
    }
    word = next_word(judge);
    if (word.size)
        refuse(judge, "found %s, expected the end, as T is %llu",
               ttt_quoted(quoted, word.bytes, word.size), total);
    flush(judge);
}

/* Fills in the line that answers a query, for every index. */
static enum ttt_code prepare(struct judge *judge, const char *tables,
                             struct ttt_error *error)
{
    static struct ttt_table table;
    char lines[2 * 8 + 1][4];
    enum ttt_code code = ttt_open_values(&table, tables, "fill", error);
    int value, index;

    for (value = -8; value <= 8; value++)
        lines[8 + value][3] = (char)snprintf(lines[8 + value], 4, "%d\n", value);
    for (index = 0; !code && index < TTT_STATES; index++) {
        code = ttt_value_at(&table, index, &value, error);
        if (!code && (value < -8 || value > 8))
            code = TTT_REFUSE(TTT_TABLE_ERROR, error,
                              "%s: fill: the value of index %d is %d, expected -8 to 8",
                              tables, index, value);
        if (!code)
            memcpy(judge->answers[index], lines[8 + value], sizeof lines[0]);
    }
    return code;
}

int main(int count, char **arguments)
{
    static struct judge judge;
    const char *tables = TTT_TABLES, *option = NULL;
    struct ttt_error error;
    int files = 0, n;

    judge.name = "-";
    judge.line = 1;
    signal(SIGPIPE, SIG_IGN);
    if (count == 2 && (!strcmp(arguments[1], "-h") || !strcmp(arguments[1], "--help")))
        return fputs(HELP, stdout) < 0;
    for (n = 1; n < count; n++) {
        if (!strcmp(arguments[n], "--tables") && n + 1 < count) {
            tables = arguments[++n];
        } else if (arguments[n][0] == '-' && arguments[n][1]) {
            if (!option)
                option = arguments[n];
        } else {
            judge.name = arguments[n];
            files++;
        }
    }
    if (option)
        fprintf(stderr, "ttt-judge: %s %s\n" USAGE,
                strcmp(option, "--tables") ? "unknown option" : "no directory after",
                option);
    else if (files > 1)
        fprintf(stderr, "ttt-judge: more than one file\n" USAGE);
    if (option || files > 1)
        return 2;
    if (strcmp(judge.name, "-") != 0) {
        judge.source = open(judge.name, O_RDONLY);
        if (judge.source < 0) {
            fprintf(stderr, "ttt-judge: %s: %s\n" USAGE, judge.name, strerror(errno));
            return 2;
        }
    }
    if (prepare(&judge, tables, &error)) {
        fprintf(stderr, "ttt-judge: %s\n", error.message);
        return 1;
    }
    answer(&judge);
    return 0;
}
