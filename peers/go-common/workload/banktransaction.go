package workload

import (
	"math"
	"slices"

	"actorbench/go-common/bench"
)

// BankTransaction is the workload bank-transaction: a teller has accounts transfer money to each other, each of which waits
// for the other's reply.
type BankTransaction struct {
	*bench.Run
	Accounts     uint64
	Transactions uint64 // in all, scaled
}

// Transfer is an amount that goes from an account to another, whose number is higher.
type Transfer struct {
	Number, Amount, Source, Target uint64
}

// Account is what an account holds; its methods are for its actor.
type Account struct {
	balance   int64
	last      uint64 // the transfer, counted from 1, that it has had the reply to
	overtaken uint64 // replies that came after a later one
}

// BeginBankTransaction reads the command line.
func BeginBankTransaction(system bench.System) *BankTransaction {
	accounts := bench.NumberWithin("accounts", 1000, 10, math.MaxUint32, "that transfer to each other")
	transactions := bench.Number("transactions", 50_000, "in all; --scale multiplies it")
	run := bench.Begin(system, bench.Workload{
		Name:    "bank-transaction",
		Summary: "a teller has accounts transfer money to each other; an account waits for the other's reply",
		Unit:    "transaction",
	}, accounts, transactions)
	w := &BankTransaction{run, accounts.Number, run.Scaled(transactions)}
	if w.Transactions > math.MaxUint32 {
		bench.Refuse("--transactions %d: with --scale they must be under 2^32", transactions.Number)
	}
	return w
}

// Transfer draws a transfer: its source is of the lower four fifths.
func (w *BankTransaction) Transfer(number uint64) Transfer {
	const highestAmount = 1000
	drawn := w.Draw(0, number)
	source := bench.UpperBelow(drawn, w.Accounts/10*8)
	return Transfer{
		Number: number,
		Amount: 1 + bench.UpperBelow(w.Draw(1, number), highestAmount),
		Source: source,
		Target: source + max(1, bench.LowerBelow(drawn, w.Accounts-source)),
	}
}

// Busiest is the number of transfers in which an account has part, at most.
func (w *BankTransaction) Busiest() uint64 {
	parts := make([]uint64, w.Accounts)
	for i := range w.Transactions {
		transfer := w.Transfer(i)
		parts[transfer.Source]++
		parts[transfer.Target]++
	}
	return slices.Max(parts)
}

// Debit takes a transfer's amount off its source.
func (a *Account) Debit(transfer *Transfer) {
	a.balance -= int64(transfer.Amount)
}

// Credit adds it to its target.
func (a *Account) Credit(transfer *Transfer) {
	a.balance += int64(transfer.Amount)
}

// Reply takes note that the target has replied to the source.
func (a *Account) Reply(transfer *Transfer) {
	if transfer.Number+1 < a.last {
		a.overtaken++
	}
	a.last = transfer.Number + 1
}

// End draws all transfers again, compares, and ends the program.
func (w *BankTransaction) End(account func(number uint64) *Account) {
	due := make([]Account, w.Accounts)
	for i := range w.Transactions {
		transfer := w.Transfer(i)
		due[transfer.Source].Debit(&transfer)
		due[transfer.Target].Credit(&transfer)
	}
	for i := range w.Accounts {
		found, right := account(i), due[i].balance+int64(w.Falsified())
		if found.balance != right || found.overtaken != 0 {
			w.Wrong("account %d has changed by %d in place of %d, and %d replies came after a later one",
				i, found.balance, right, found.overtaken)
			break
		}
	}
	w.Run.End(w.Transactions)
}
