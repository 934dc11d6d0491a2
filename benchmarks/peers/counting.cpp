// Kattis "tictactoecounting" with the usual fast input and a memoised search: how many
// continuations X wins and how many O wins, "-1 -1" for a board no game reaches. The
// memo is keyed by the board's text, or with -DNUMERAL an array by the board in base 3.
#include <cstdio>
#include <iostream>
#include <string>
#include <unordered_map>
using namespace std;

const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                         {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

struct Wins {
    int x = -1, o = -1; // -1 until they have been counted
};

#ifdef NUMERAL
Wins memo[19683];

Wins &known(const string &board) {
    int numeral = 0;
    for (char mark : board) numeral = numeral * 3 + (mark == 'X') + 2 * (mark == 'O');
    return memo[numeral];
}
#else
unordered_map<string, Wins> memo;

Wins &known(const string &board) { return memo[board]; }
#endif

bool has_line(const string &board, char mark) {
    for (auto &line : LINES)
        if (board[line[0]] == mark && board[line[1]] == mark && board[line[2]] == mark)
            return true;
    return false;
}

Wins count(string &board, char mover) {
    Wins &wins = known(board);
    if (wins.x >= 0) return wins;
    Wins sum;
    if (has_line(board, 'X')) sum.x = 1, sum.o = 0;
    else if (has_line(board, 'O')) sum.x = 0, sum.o = 1;
    else {
        sum.x = sum.o = 0;
        for (char &mark : board) {
            if (mark != '.') continue;
            mark = mover;
            Wins after = count(board, mover == 'X' ? 'O' : 'X');
            mark = '.';
            sum.x += after.x;
            sum.o += after.o;
        }
    }
    return wins = sum;
}

// No mark can follow a line, and X starts.
bool reached(const string &board, int lead) {
    if (lead != 0 && lead != 1) return false;
    return !has_line(board, lead ? 'O' : 'X');
}

int main(int argc, char **argv) {
    if (argc > 1 && !freopen(argv[1], "r", stdin)) return 1;
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int total;
    cin >> total;
    while (total--) {
        string board;
        cin >> board;
        int lead = 0;
        for (char mark : board) lead += (mark == 'X') - (mark == 'O');
        Wins wins;
        if (reached(board, lead)) wins = count(board, lead ? 'O' : 'X');
        cout << wins.x << ' ' << wins.o << '\n';
    }
}
