// actor-creation: spawners make many actors that are all alive at once, and end them.
//
// As dynamic's they are spawned lazily: one is scheduled when its first message comes, not once more before.
#include "system.hpp"

namespace {

// A first message, and a last.
template <bool typed> using child_kind = kind<typed, takes<task>, takes<done>>;
// Its share is to be made; then ended.
template <bool typed> using spawner_kind = kind<typed, takes<begin>, takes<done>>;
// A share is made.
template <bool typed> using coordinator_kind = kind<typed, takes<task>>;

template <bool typed> struct plan {
    plan(program &its_run, std::uint64_t actors, std::uint64_t count)
        : run{its_run}, total{actors}, spawners(count), ended{its_run.workers()}, ready{count + 1} {
    }

    program &run;
    const std::uint64_t total;
    std::vector<typename spawner_kind<typed>::handle> spawners;
    typename coordinator_kind<typed>::handle the_coordinator;
    tally ended; // that had received their first message
    countdown ready;
};

template <bool typed> class child : public child_kind<typed>::base {
    using base = typename child_kind<typed>::base;

  public:
    child(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        return {[this](task) { greeted_ = true; }, [this](done) { this->quit(); }};
    }

    void on_exit() override {
        if (greeted_)
            all_.ended.add();
    }

  private:
    plan<typed> &all_;
    bool greeted_ = false;
};

template <bool typed> class spawner : public spawner_kind<typed>::base {
    using base = typename spawner_kind<typed>::base;

  public:
    spawner(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) {
                std::uint64_t count = all_.spawners.size();
                std::uint64_t share = all_.total / count + (number_ < all_.total % count);
                for (std::uint64_t i = 0; i < share; i++) {
                    children_.push_back(this->template spawn<child<typed>, caf::lazy_init>(all_));
                    deal(this, all_.run, children_.back(), task_v);
                }
                send(this, all_.the_coordinator, task_v);
            },
            [this](done) {
                for (const auto &each : children_)
                    deal(this, all_.run, each, done_v);
                this->quit();
            },
        };
    }

    void on_exit() override {
        children_.clear();
    }

  private:
    plan<typed> &all_;
    const std::uint64_t number_;
    std::vector<typename child_kind<typed>::handle> children_;
};

// Ends the children when all shares are made.
template <bool typed> class coordinator : public coordinator_kind<typed>::base {
    using base = typename coordinator_kind<typed>::base;

  public:
    coordinator(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all}, missing_{all.spawners.size()} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](task) {
            if (--missing_ != 0)
                return;
            for (const auto &each : all_.spawners)
                deal(this, all_.run, each, done_v);
            this->quit();
        }};
    }

  private:
    plan<typed> &all_;
    std::uint64_t missing_; // shares
};

template <bool typed> std::uint64_t create(program &run, std::uint64_t actors, std::uint64_t spawners) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, actors, spawners};
    all.the_coordinator = system.spawn<coordinator<typed>>(all);
    for (std::uint64_t i = 0; i < spawners; i++)
        all.spawners[i] = system.spawn<spawner<typed>>(all, i);
    all.ready.wait();
    run.start_clock();
    for (const auto &each : all.spawners)
        send_by_main(each, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    run.expect(all.ended.sum(), actors, "actors ended after their first message");
    return actors;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t actors = 1000000, spawners = 0;
    program run{"actor-creation",
                "spawners make many actors that are all alive at once, and end them",
                "actor",
                {
                    {"actors", actors, "alive at once; --scale multiplies it"},
                    {"spawners", spawners, "actors that make them; 0: as many as workers", {}, 0, UINT32_MAX},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t total = run.scaled(actors), count = spawners == 0 ? run.workers() : spawners;
        return run.typed() ? create<true>(run, total, count) : create<false>(run, total, count);
    });
}
