"""ttt-judge: answers for whole files of programming-contest queries."""
