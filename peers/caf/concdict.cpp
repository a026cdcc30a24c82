// concdict: entities read and write a dictionary that one actor keeps, each a request at a time.
//
// Which entity is served when is up to the scheduler, so the keeper notes whom it serves. Afterwards the same requests go in
// that order to a model, which must give the same answers and hold the same values.
#include "system.hpp"

#include <unordered_map>

#include "draw.hpp"

namespace {

// What an entity asks: its number, the key, what to write if it writes.
template <bool typed> using keeper_kind = kind<typed, takes<std::uint32_t, std::uint64_t, std::uint64_t, bool>>;
// What it hears: the key's value, the former one for a write.
template <bool typed> using entity_kind = kind<typed, takes<begin>, takes<std::uint64_t>>;

struct amounts {
    std::uint64_t entities = 100, messages = 50000, writes = 10, keys = 524287;
};

struct question {
    std::uint64_t key, value;
    bool writes;
};

question formulate(const program &run, const amounts &how_much, std::uint64_t entity, std::uint64_t number) {
    std::uint64_t drawn = draw(run.seed(), entity, number);
    return {upper_below(drawn, how_much.keys), drawn, lower_below(drawn, 100) < how_much.writes};
}

std::uint64_t sum(std::uint64_t checksum, std::uint64_t answer) {
    return checksum * 0x9e3779b97f4a7c15 + answer + 1;
}

template <bool typed> struct plan {
    plan(program &its_run, const amounts &its_amounts)
        : run{its_run}, how_much{its_amounts}, entities(how_much.entities),
          checksums(how_much.entities), ready{how_much.entities + 1} {
        dictionary.reserve(how_much.keys);
        for (std::uint64_t key = 0; key < how_much.keys; key++)
            dictionary.emplace(key, key);
        served.reserve(how_much.entities * how_much.messages);
    }

    program &run;
    const amounts how_much; // messages: scaled
    typename keeper_kind<typed>::handle the_keeper;
    std::vector<typename entity_kind<typed>::handle> entities;
    std::vector<std::uint64_t> checksums;                        // of the answers, by entities that have ended
    std::unordered_map<std::uint64_t, std::uint64_t> dictionary; // the keeper's; holds every key from the start
    std::vector<std::uint32_t> served;                           // the keeper's; by request: which entity's
    countdown ready;
};

template <bool typed> class keeper : public keeper_kind<typed>::base {
    using base = typename keeper_kind<typed>::base;

  public:
    keeper(caf::actor_config &config, plan<typed> &all)
        : base{config}, all_{all}, requests_{all.how_much.entities * all.how_much.messages} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](std::uint32_t entity, std::uint64_t key, std::uint64_t value, bool writes) {
            all_.served.push_back(entity);
            std::uint64_t &held = all_.dictionary[key];
            std::uint64_t answer = held;
            if (writes)
                held = value;
            send(this, all_.entities[entity], answer);
            if (all_.served.size() == requests_)
                this->quit();
        }};
    }

  private:
    plan<typed> &all_;
    const std::uint64_t requests_;
};

template <bool typed> class entity : public entity_kind<typed>::base {
    using base = typename entity_kind<typed>::base;

  public:
    entity(caf::actor_config &config, plan<typed> &all, std::uint32_t number)
        : base{config}, all_{all}, number_{number} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {
            [this](begin) { ask(); },
            [this](std::uint64_t answer) {
                checksum_ = sum(checksum_, answer);
                if (asked_ == all_.how_much.messages)
                    this->quit();
                else
                    ask();
            },
        };
    }

    void on_exit() override {
        all_.checksums[number_] = checksum_;
    }

  private:
    void ask() {
        question next = formulate(all_.run, all_.how_much, number_, asked_++);
        send(this, all_.the_keeper, number_, next.key, next.value, next.writes);
    }

    plan<typed> &all_;
    const std::uint32_t number_;
    std::uint64_t asked_ = 0, checksum_ = 0;
};

template <bool typed> void check(const plan<typed> &all) {
    std::vector<std::uint64_t> model(all.how_much.keys), asked(all.how_much.entities), checksums(all.how_much.entities);
    for (std::uint64_t key = 0; key < model.size(); key++)
        model[key] = key;
    for (std::uint32_t each : all.served) {
        question next = formulate(all.run, all.how_much, each, asked[each]++);
        checksums[each] = sum(checksums[each], model[next.key]);
        if (next.writes)
            model[next.key] = next.value;
    }
    for (std::uint64_t i = 0; i < asked.size(); i++)
        if (!all.run.expect(asked[i], all.how_much.messages,
                            "requests of entity " + std::to_string(i) + " were served"))
            break;
    if (checksums != all.checksums)
        all.run.wrong("an entity was given a wrong answer");
    for (std::uint64_t key = 0; key < model.size(); key++)
        if (all.dictionary.at(key) != model[key]) {
            all.run.wrong("the dictionary holds a wrong value for key " + std::to_string(key));
            break;
        }
}

template <bool typed> std::uint64_t ask(program &run, const amounts &how_much) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, how_much};
    all.the_keeper = system.spawn<keeper<typed>>(all);
    for (std::uint64_t i = 0; i < how_much.entities; i++)
        all.entities[i] = system.spawn<entity<typed>>(all, static_cast<std::uint32_t>(i));
    all.ready.wait();
    run.start_clock();
    for (const auto &each : all.entities)
        send_by_main(each, begin_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(all);
    return how_much.entities * how_much.messages;
}

} // namespace

int main(int argc, char **argv) {
    amounts how_much;
    program run{"concdict",
                "entities read and write a dictionary that one actor keeps",
                "request",
                {
                    {"entities", how_much.entities, "actors that send requests", {}, 1, UINT32_MAX},
                    {"messages", how_much.messages, "requests of each; --scale multiplies it"},
                    {"writes", how_much.writes, "percent of the requests that write", {}, 0, 100},
                    {"keys", how_much.keys, "that can be asked for: 0, 1, 2, ...", {}, 1, UINT32_MAX},
                }};
    return run.main(argc, argv, [&] {
        amounts scaled = how_much;
        scaled.messages = run.scaled(how_much.messages);
        if (scaled.messages > UINT32_MAX)
            run.refuse("--messages " + std::to_string(how_much.messages) + ": with --scale they must be under 2^32");
        return run.typed() ? ask<true>(run, scaled) : ask<false>(run, scaled);
    });
}
