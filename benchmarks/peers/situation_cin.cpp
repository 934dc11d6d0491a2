// "Situation" with plain cin and cout.
#include <cstdio>
#include <iostream>
#include <string>

#include "situation_search.h"
using namespace std;

int main(int argc, char **argv) {
    if (argc > 1 && !freopen(argv[1], "r", stdin)) return 1;
#ifdef SYNC_OFF
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
#endif
    int total;
    cin >> total;
    while (total--) {
        int turn, numeral = 0;
        cin >> turn;
        for (int row = 0; row < 3; row++) {
            string marks;
            cin >> marks;
            for (int column = 0; column < 3; column++) {
                int digit = (marks[column] == 'X') + 2 * (marks[column] == 'O');
                board[3 * row + column] = digit;
                numeral = numeral * 3 + digit;
            }
        }
        cout << value(turn, numeral) << '\n';
    }
}
