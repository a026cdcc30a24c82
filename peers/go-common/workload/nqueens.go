package workload

import (
	"actorbench/go-common/bench"
)

// NQueens is the workload nqueens: actors look for the places of queens that do not attack each other, until there are
// enough.
type NQueens struct {
	*bench.Run
	Searchers uint64

	size, threshold, solutions uint64
	amount                     uint64 // of places of the first two queens
	begun, done, found         uint64 // boards dealt out and searched, and solutions
}

const mostQueens = 20

// Board is a board with queens in its first rows.
type Board struct {
	starts uint64 // so many of the size x size places of the first two queens are searched
	queens int
	places [mostQueens]int // by row
}

// BeginNQueens reads the command line.
func BeginNQueens(system bench.System) *NQueens {
	size := bench.NumberWithin("size", 12, 1, mostQueens, "of the board, and queens; --scale multiplies the share that is searched")
	searchers := bench.Number("searchers", 20, "actors that search")
	threshold := bench.Number("threshold", 4, "queens from which on a board is searched to its end")
	solutions := bench.Number("solutions", 1_500_000, "that are enough")
	run := bench.Begin(system, bench.Workload{
		Name:    "nqueens",
		Summary: "actors look for the places of queens that do not attack each other, until there are enough",
		Unit:    "board",
	}, size, searchers, threshold, solutions)
	places := *size
	places.Number *= size.Number
	return &NQueens{
		Run:       run,
		Searchers: searchers.Number,
		size:      size.Number,
		threshold: threshold.Number,
		solutions: solutions.Number,
		amount:    run.Scaled(&places),
	}
}

// Share is how many boards a searcher gets at most.
func (w *NQueens) Share() uint64 {
	boards := uint64(0)
	var visit func(*Board)
	visit = func(board *Board) {
		boards++
		if uint64(board.queens) < min(w.threshold, w.size) {
			w.extend(board, visit)
		}
	}
	w.EmptyBoards(visit)
	return boards/w.Searchers + 1
}

// EmptyBoards gives the boards to begin with. The master's, as are the next four.
func (w *NQueens) EmptyBoards(give func(*Board)) {
	for left := w.amount; left != 0; {
		starts := min(left, w.size*w.size)
		give(&Board{starts: starts})
		left -= starts
	}
}

// Deal says whose a board is, or that no more is dealt out, as there are enough solutions.
func (w *NQueens) Deal() (searcher uint64, dealt bool) {
	if w.found >= w.solutions {
		return 0, false
	}
	w.begun++
	return (w.begun - 1) % w.Searchers, true
}

// Found takes note of a solution.
func (w *NQueens) Found() {
	w.found++
}

// Done takes note that a board was searched; true if it was the last.
func (w *NQueens) Done() bool {
	w.done++
	return w.done == w.begun
}

// Search puts a queen more on a board, at every safe place, and gives these boards; or, from a threshold on, searches to the
// end and gives each solution. A searcher's; it may change the board.
func (w *NQueens) Search(board *Board, give func(*Board), found func()) {
	if uint64(board.queens) < min(w.threshold, w.size) {
		w.extend(board, func(extended *Board) {
			one := *extended
			give(&one)
		})
	} else {
		w.search(board, found)
	}
}

func (w *NQueens) search(board *Board, found func()) {
	if uint64(board.queens) == w.size {
		found()
	} else {
		w.extend(board, func(extended *Board) { w.search(extended, found) })
	}
}

func (w *NQueens) extend(board *Board, take func(*Board)) {
	row := board.queens
	board.queens++
	for place := range int(w.size) {
		board.places[row] = place
		if board.isSafe() && w.isSearched(board) {
			take(board)
		}
	}
	board.queens--
}

// isSafe compares all queens with all, as Savina does.
func (b *Board) isSafe() bool {
	for row := range b.queens {
		for other := row + 1; other < b.queens; other++ {
			apart, rows := b.places[other]-b.places[row], other-row
			if apart == 0 || apart == rows || apart == -rows {
				return false
			}
		}
	}
	return true
}

func (w *NQueens) isSearched(board *Board) bool {
	return board.queens != 2 || uint64(board.places[0])*w.size+uint64(board.places[1]) < board.starts
}

// count counts boards and solutions by sets of the columns and diagonals that are attacked.
func (w *NQueens) count(starts, row, first, columns, left, right uint64) (boards, solutions uint64) {
	if row <= w.threshold {
		boards = 1
	}
	if row == w.size {
		return boards, 1
	}
	for place := range w.size {
		bit := uint64(1) << place
		if (columns|left|right)&bit != 0 || row == 1 && first*w.size+place >= starts {
			continue
		}
		if row == 0 {
			first = place
		}
		moreBoards, moreSolutions := w.count(starts, row+1, first, columns|bit, (left|bit)<<1, (right|bit)>>1)
		boards += moreBoards
		solutions += moreSolutions
	}
	return boards, solutions
}

// End counts what there is to be found in another way, compares, and ends the program.
func (w *NQueens) End() {
	var boards, solutions uint64
	w.EmptyBoards(func(empty *Board) {
		moreBoards, moreSolutions := w.count(empty.starts, 0, 0, 0, 0, 0)
		boards += moreBoards
		solutions += moreSolutions
	})
	solutions += w.Falsified()
	if w.found < min(solutions, w.solutions) || w.found > solutions {
		w.Wrong("%d solutions were found, of %d", w.found, solutions)
	}
	if w.begun > boards || solutions < w.solutions && w.begun < boards {
		w.Wrong("%d boards were searched, of %d", w.begun, boards)
	}
	w.Run.End(w.begun)
}
