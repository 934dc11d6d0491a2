// "Situation" with a hand-written reader on top of fread, and a single write.
#include <cstdio>
#include <string>

#include "situation_search.h"
using namespace std;

char input[1 << 16], *at = input, *limit = input;

int next_char() {
    if (at == limit) {
        at = input;
        limit = input + fread(input, 1, sizeof input, stdin);
        if (at == limit) return EOF;
    }
    return *at++;
}

int next_mark() {
    int mark = next_char();
    while (mark == '\n' || mark == '\r' || mark == ' ') mark = next_char();
    return mark;
}

int main(int argc, char **argv) {
    if (argc > 1 && !freopen(argv[1], "r", stdin)) return 1;
    int total = 0;
    for (int digit = next_mark(); digit >= '0'; digit = next_char())
        total = total * 10 + digit - '0';
    string output;
    while (total--) {
        int turn = next_mark() - '0', numeral = 0;
        for (int &digit : board) {
            int mark = next_mark();
            digit = (mark == 'X') + 2 * (mark == 'O');
            numeral = numeral * 3 + digit;
        }
        int answer = value(turn, numeral);
        if (answer < 0) output += '-';
        output += char('0' + (answer < 0 ? -answer : answer));
        output += '\n';
    }
    fwrite(output.data(), 1, output.size(), stdout);
}
