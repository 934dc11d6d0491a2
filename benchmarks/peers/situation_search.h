// Memoised search for "Situation", shared by the C++ programs: they differ in how they
// read and write, and in nothing else.
#include <algorithm>

const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                         {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
const int POWERS[9] = {6561, 2187, 729, 243, 81, 27, 9, 3, 1};
const int OFFSET = 100;

int board[9];               // 0 empty, 1 X, 2 O
signed char memo[2][19683]; // value + OFFSET; 0 until it has been searched

// Lines of O minus lines of X under perfect play; numeral is the board in base 3.
int value(int turn, int numeral) {
    signed char &known = memo[turn][numeral];
    if (known) return known - OFFSET;
    bool full = true;
    int best = turn ? -9 : 9;
    for (int cell = 0; cell < 9; cell++) {
        if (board[cell]) continue;
        full = false;
        board[cell] = turn + 1;
        int after = value(1 - turn, numeral + (turn + 1) * POWERS[cell]);
        board[cell] = 0;
        best = turn ? std::max(best, after) : std::min(best, after);
    }
    if (full) {
        best = 0;
        for (auto &line : LINES) {
            int mark = board[line[0]];
            if (mark == board[line[1]] && mark == board[line[2]])
                best += mark == 2 ? 1 : -1;
        }
    }
    known = best + OFFSET;
    return best;
}
