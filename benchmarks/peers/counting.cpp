// Kattis "tictactoecounting" with the usual fast input and a memoised search: how many
// continuations X wins and how many O wins, "-1 -1" for a board no game reaches.
#include <cstdio>
#include <iostream>
#include <string>
#include <unordered_map>
#include <utility>
using namespace std;

const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                         {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

unordered_map<string, pair<int, int>> memo;

char winner(const string &board) {
    for (auto &line : LINES) {
        char mark = board[line[0]];
        if (mark != '.' && mark == board[line[1]] && mark == board[line[2]]) return mark;
    }
    return '.';
}

// Play every game once; the boards that are met are the keys of the memo.
pair<int, int> count(string &board, char mover) {
    auto known = memo.find(board);
    if (known != memo.end()) return known->second;
    pair<int, int> wins(0, 0);
    char won = winner(board);
    if (won == 'X') wins.first = 1;
    else if (won == 'O') wins.second = 1;
    else
        for (char &mark : board) {
            if (mark != '.') continue;
            mark = mover;
            pair<int, int> after = count(board, mover == 'X' ? 'O' : 'X');
            mark = '.';
            wins.first += after.first;
            wins.second += after.second;
        }
    return memo[board] = wins;
}

int main(int argc, char **argv) {
    if (argc > 1 && !freopen(argv[1], "r", stdin)) return 1;
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    string board(9, '.');
    count(board, 'X');
    int total;
    cin >> total;
    while (total--) {
        cin >> board;
        auto known = memo.find(board);
        if (known == memo.end()) cout << "-1 -1\n";
        else cout << known->second.first << ' ' << known->second.second << '\n';
    }
}
