// producer-consumer: many producers stream to one consumer, a batch in a behaviour. A message is its producer's number.
#include "system.hpp"

#include <algorithm>

namespace {

template <bool typed> using consumer_kind = kind<typed, takes<std::uint64_t>>;
template <bool typed> using producer_kind = kind<typed, takes<turn>>;

template <bool typed> struct plan {
    plan(std::uint64_t producers, std::uint64_t messages, std::uint64_t its_batch)
        : each{messages}, batch{its_batch}, received(producers), ready{producers + 1} {
    }

    const std::uint64_t each, batch;
    typename consumer_kind<typed>::handle the_consumer;
    std::vector<std::uint64_t> received; // by producer; the consumer's
    countdown ready;
};

template <bool typed> class consumer : public consumer_kind<typed>::base {
    using base = typename consumer_kind<typed>::base;

  public:
    consumer(caf::actor_config &config, plan<typed> &all)
        : base{config}, all_{all}, missing_{all.received.size() * all.each} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](std::uint64_t producer) {
            all_.received[producer]++;
            if (--missing_ == 0)
                this->quit();
        }};
    }

  private:
    plan<typed> &all_;
    std::uint64_t missing_; // of all producers
};

template <bool typed> class producer : public producer_kind<typed>::base {
    using base = typename producer_kind<typed>::base;

  public:
    producer(caf::actor_config &config, plan<typed> &all, std::uint64_t number)
        : base{config}, all_{all}, number_{number}, left_{all.each} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](turn) {
            std::uint64_t portion = std::min(left_, all_.batch);
            left_ -= portion;
            for (std::uint64_t i = 0; i < portion; i++)
                send(this, all_.the_consumer, number_);
            if (left_ == 0)
                this->quit();
            else
                send(this, this, turn_v);
        }};
    }

  private:
    plan<typed> &all_;
    const std::uint64_t number_;
    std::uint64_t left_; // to be sent
};

template <bool typed>
std::uint64_t stream(program &run, std::uint64_t producers, std::uint64_t messages, std::uint64_t batch) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{producers, messages, batch};
    all.the_consumer = system.spawn<consumer<typed>>(all);
    std::vector<typename producer_kind<typed>::handle> actors;
    for (std::uint64_t i = 0; i < producers; i++)
        actors.push_back(system.spawn<producer<typed>>(all, i));
    all.ready.wait();
    run.start_clock();
    for (const auto &each : actors)
        send_by_main(each, turn_v);
    system.await_all_actors_done();
    run.stop_clock();
    for (std::uint64_t i = 0; i < producers; i++)
        if (!run.expect(all.received[i], messages, "messages came from producer " + std::to_string(i)))
            break;
    return producers * messages;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t producers = 32, messages = 1000000, batch = 100;
    program run{"producer-consumer",
                "many producers stream to one consumer",
                "message",
                {
                    {"producers", producers, "actors that send to the consumer"},
                    {"messages", messages, "from each of them; --scale multiplies it"},
                    {"batch", batch, "messages that a producer sends in one behaviour"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(messages);
        return run.typed() ? stream<true>(run, producers, scaled, batch) : stream<false>(run, producers, scaled, batch);
    });
}
