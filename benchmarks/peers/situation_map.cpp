// "Situation" with the usual fast input, and a memo keyed by the board's text: the most
// direct way to write the memoised search down.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <unordered_map>
using namespace std;

const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                         {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

unordered_map<string, int> memo[2];

int score(const string &board) {
    int lines = 0;
    for (auto &line : LINES)
        if (board[line[0]] == board[line[1]] && board[line[0]] == board[line[2]])
            lines += board[line[0]] == 'O' ? 1 : -1;
    return lines;
}

// Lines of O minus lines of X under perfect play.
int value(string &board, int turn) {
    auto known = memo[turn].find(board);
    if (known != memo[turn].end()) return known->second;
    bool full = true;
    int best = turn ? -9 : 9;
    for (char &mark : board) {
        if (mark != '.') continue;
        full = false;
        mark = turn ? 'O' : 'X';
        int after = value(board, 1 - turn);
        mark = '.';
        best = turn ? max(best, after) : min(best, after);
    }
    return memo[turn][board] = full ? score(board) : best;
}

int main(int argc, char **argv) {
    if (argc > 1 && !freopen(argv[1], "r", stdin)) return 1;
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int total;
    cin >> total;
    while (total--) {
        int turn;
        string board, row;
        cin >> turn;
        for (int rows = 0; rows < 3; rows++) {
            cin >> row;
            board += row;
        }
        cout << value(board, turn) << '\n';
    }
}
