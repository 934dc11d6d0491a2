// Solves standard m,n,k games in one pass over the states, from the largest index down:
// a move makes the index of the board larger, so that every state after it is solved.
// Writes the same four arrays as build_tables.py, without headers.
//
//     solve ROWS COLUMNS LINE DIRECTORY
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

template <class T> static void save(const std::string &path, const std::vector<T> &items)
{
    FILE *file = fopen(path.c_str(), "wb");
    if (!file || fwrite(items.data(), sizeof(T), items.size(), file) != items.size()
        || fclose(file)) {
        perror(path.c_str());
        exit(1);
    }
}

int main(int count, char **words)
{
    if (count != 5)
        return fprintf(stderr, "usage: solve ROWS COLUMNS LINE DIRECTORY\n"), 2;
    int rows = atoi(words[1]), columns = atoi(words[2]), length = atoi(words[3]);
    int cells = rows * columns;
    std::vector<std::vector<int>> lines;
    int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (auto &step : steps)
        for (int row = 0; row < rows; row++)
            for (int column = 0; column < columns; column++) {
                int last_row = row + (length - 1) * step[0];
                int last_column = column + (length - 1) * step[1];
                if (last_row >= rows || last_column < 0 || last_column >= columns)
                    continue;
                std::vector<int> line;
                for (int place = 0; place < length; place++)
                    line.push_back((row + place * step[0]) * columns + column
                                   + place * step[1]);
                lines.push_back(line);
            }
    std::vector<uint32_t> powers(cells);
    uint32_t boards = 1;
    for (int cell = cells - 1; cell >= 0; cell--, boards *= 3)
        powers[cell] = boards;

    std::vector<int8_t> values(2 * (size_t)boards), moves(2 * (size_t)boards);
    std::vector<uint16_t> optimal(2 * (size_t)boards);
    std::vector<uint8_t> reachable(2 * (size_t)boards), live(boards);
    std::vector<uint8_t> digits(cells);
    for (uint32_t board = boards; board-- > 0;) {
        uint32_t rest = board;
        int empty = 0;
        for (int cell = cells - 1; cell >= 0; cell--, rest /= 3) {
            digits[cell] = rest % 3;
            empty += digits[cell] == 0;
        }
        bool x_line = false, o_line = false;
        for (auto &line : lines) {
            int mark = digits[line[0]];
            bool full = mark != 0;
            for (size_t place = 1; full && place < line.size(); place++)
                full = digits[line[place]] == mark;
            if (full)
                (mark == 1 ? x_line : o_line) = true;
        }
        live[board] = empty && !x_line && !o_line;
        for (int turn = 0; turn < 2; turn++) {
            size_t index = (size_t)turn * boards + board;
            moves[index] = -1;
            if (!live[board]) {
                values[index] = x_line && o_line ? -128 : x_line ? -1 : o_line ? 1 : 0;
                continue;
            }
            size_t other = (size_t)(1 - turn) * boards + board;
            int best = turn ? -127 : 127;
            for (int cell = 0; cell < cells; cell++) {
                if (digits[cell])
                    continue;
                int value = values[other + (turn + 1) * powers[cell]];
                if (turn ? value > best : value < best) {
                    best = value;
                    moves[index] = cell;
                    optimal[index] = 0;
                }
                if (value == best)
                    optimal[index] |= 1 << cell;
            }
            values[index] = best;
        }
    }
    // A state is reached from one before it, whose index is smaller.
    reachable[0] = 1;
    for (uint32_t board = 0; board < boards; board++) {
        if (!live[board])
            continue;
        uint32_t rest = board;
        for (int cell = cells - 1; cell >= 0; cell--, rest /= 3)
            digits[cell] = rest % 3;
        for (int turn = 0; turn < 2; turn++)
            if (reachable[(size_t)turn * boards + board])
                for (int cell = 0; cell < cells; cell++)
                    if (!digits[cell])
                        reachable[(size_t)(1 - turn) * boards + board
                                  + (turn + 1) * powers[cell]] = 1;
    }
    std::string directory = words[4];
    save(directory + "/values", values);
    save(directory + "/moves", moves);
    save(directory + "/optimal", optimal);
    save(directory + "/reachable", reachable);
    return 0;
}
