// bank-transaction: a teller has accounts transfer money to each other; an account waits for the other's reply.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/goroutines/internal/system"
)

// How far the teller may be ahead of an account.
const mailboxSize = 1024

// To a transfer's source with no reply, and on to its target with where the source waits for it.
type request struct {
	transfer workload.Transfer
	reply    chan<- workload.Transfer
}

type account struct {
	workload.Account
	mailbox chan request
}

func main() {
	work := workload.BeginBankTransaction(system.Goroutines())
	accounts := make([]account, work.Accounts)
	teller := make(chan workload.Transfer, work.Transactions) // it hears nothing before it has sent all
	for i := range accounts {
		accounts[i].mailbox = make(chan request, mailboxSize)
	}
	var running sync.WaitGroup
	running.Add(len(accounts) + 1)
	for i := range accounts {
		go func() {
			defer running.Done()
			accounts[i].handle(accounts, teller)
		}()
	}
	start := make(chan struct{})
	go func() {
		defer running.Done()
		<-start
		tell(work, accounts, teller)
	}()

	work.Start()
	start <- struct{}{}
	running.Wait()
	work.Stop()
	work.End(func(number uint64) *workload.Account { return &accounts[number].Account })
}

// tell is the teller. When all transfers have ended, it closes the accounts.
func tell(work *workload.BankTransaction, accounts []account, ended <-chan workload.Transfer) {
	for i := range work.Transactions {
		transfer := work.Transfer(i)
		accounts[transfer.Source].mailbox <- request{transfer: transfer}
	}
	for range work.Transactions {
		<-ended
	}
	for i := range accounts {
		close(accounts[i].mailbox)
	}
}

// handle is an account. What comes while it waits for a reply stays in its mailbox; whom it waits for has a higher number,
// so that no accounts wait for each other in a circle.
func (a *account) handle(accounts []account, teller chan<- workload.Transfer) {
	replies := make(chan workload.Transfer, 1)
	for received := range a.mailbox {
		if received.reply != nil {
			a.Credit(&received.transfer)
			received.reply <- received.transfer
			continue
		}
		a.Debit(&received.transfer)
		accounts[received.transfer.Target].mailbox <- request{received.transfer, replies}
		reply := <-replies
		a.Reply(&reply)
		teller <- reply
	}
}
