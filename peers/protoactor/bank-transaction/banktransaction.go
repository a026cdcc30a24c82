// bank-transaction: a teller has accounts transfer money to each other; an account waits for the other's reply.
package main

import (
	"sync"

	"actorbench/go-common/workload"
	"actorbench/protoactor/internal/system"

	"github.com/asynkron/protoactor-go/actor"
)

// The first message, from main to the teller.
type start struct{}

// What becomes of a transfer: from the teller to its source, to its target, back to its source, and back to the teller.
type debit struct{ *workload.Transfer }
type credit struct{ *workload.Transfer }
type reply struct{ *workload.Transfer }
type ended struct{ *workload.Transfer }

type account struct {
	workload.Account
	accounts []*actor.PID
	teller   *actor.PID
	waits    bool  // for a reply
	stash    []any // what has come meanwhile
	running  *sync.WaitGroup
}

func (a *account) Receive(ctx actor.Context) {
	switch message := ctx.Message().(type) {
	case *debit, *credit:
		if a.waits {
			a.stash = append(a.stash, message)
		} else {
			a.handle(ctx, message)
		}
	case *reply:
		a.waits = false
		a.Reply(message.Transfer)
		ctx.Send(a.teller, &ended{message.Transfer})
		for !a.waits && len(a.stash) != 0 {
			oldest := a.stash[0]
			a.stash = a.stash[1:]
			a.handle(ctx, oldest)
		}
	case *actor.Stopped:
		a.running.Done()
	}
}

func (a *account) handle(ctx actor.Context, message any) {
	switch message := message.(type) {
	case *debit:
		a.Debit(message.Transfer)
		a.waits = true
		ctx.Send(a.accounts[message.Target], &credit{message.Transfer})
	case *credit:
		a.Credit(message.Transfer)
		ctx.Send(a.accounts[message.Source], &reply{message.Transfer})
	}
}

type teller struct {
	work     *workload.BankTransaction
	accounts []*actor.PID
	ended    uint64 // transfers
	running  *sync.WaitGroup
}

func (t *teller) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *start:
		for i := range t.work.Transactions {
			transfer := t.work.Transfer(i)
			ctx.Send(t.accounts[transfer.Source], &debit{&transfer})
		}
	case *ended:
		t.ended++
		if t.ended < t.work.Transactions {
			return
		}
		for _, pid := range t.accounts {
			ctx.Stop(pid)
		}
		ctx.Stop(ctx.Self())
	case *actor.Stopped:
		t.running.Done()
	}
}

func main() {
	work := workload.BeginBankTransaction(system.ProtoActor())
	root := system.Start()
	accounts := make([]*account, work.Accounts)
	pids := make([]*actor.PID, work.Accounts)
	var running sync.WaitGroup
	running.Add(len(accounts) + 1)
	from := root.Spawn(system.Props(func() actor.Actor { return &teller{work, pids, 0, &running} }, work.Transactions))
	busiest := work.Busiest()
	for i := range accounts {
		accounts[i] = &account{accounts: pids, teller: from, running: &running}
		pids[i] = root.Spawn(system.Props(func() actor.Actor { return accounts[i] }, busiest))
	}

	work.Start()
	root.Send(from, new(start))
	running.Wait()
	work.Stop()
	work.End(func(number uint64) *workload.Account { return &accounts[number].Account })
}
