/* The same in C++: which primes are there below a million? Messages and actors may have members with constructors, and then live
 * where the program keeps them.
 *
 *     c++ primes.cpp $(pkg-config --cflags --libs actorbench-worker-centric) -o primes
 */
#include <actorbench/actor.h>
#include <actorbench/executor.h>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

constexpr unsigned ranges = 100, length = 10000;

struct range {
    actorbench_message message;
    unsigned first;
};
ACTORBENCH_MESSAGE_TYPE(range)

struct found {
    actorbench_message message;
    std::vector<unsigned> primes;
};
ACTORBENCH_MESSAGE_TYPE(found)

struct collector {
    actorbench_actor actor;
    std::size_t answers, primes;
    unsigned largest;
};
#define BEHAVIOURS_collector(ON) ON(collector, found, collector_adds)
ACTORBENCH_ACTOR_TYPE(collector)

struct finder {
    actorbench_actor actor;
    collector *collects;
    found answer;
};
#define BEHAVIOURS_finder(ON) ON(finder, range, finder_finds)
ACTORBENCH_ACTOR_TYPE(finder)

bool is_prime(unsigned number) {
    for (unsigned divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return false;
    return number >= 2;
}

/* The message is the runtime's to free, as what is made by actorbench_..._new is. The finder, and in it the answer, is main's. */
actorbench_allocation finder_finds(finder *self, range *message) {
    for (unsigned number = message->first; number < message->first + length; number++)
        if (is_prime(number))
            self->answer.primes.push_back(number);
    actorbench_send(collector, self->collects, &self->answer);
    return ACTORBENCH_FINISHED;
}

actorbench_allocation collector_adds(collector *self, found *message) {
    self->primes += message->primes.size();
    if (!message->primes.empty() && message->primes.back() > self->largest)
        self->largest = message->primes.back();
    return ++self->answers == ranges ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

} // namespace

int main() {
    if (const char *why = actorbench_start(nullptr)) {
        std::cerr << "primes: " << why << '\n';
        return EXIT_FAILURE;
    }
    collector all{};
    actorbench_actor_init(collector, &all);
    std::vector<finder> finders(ranges);
    for (unsigned i = 0; i < ranges; i++) {
        actorbench_actor_init(finder, &finders[i]);
        actorbench_message_init(found, &finders[i].answer, ACTORBENCH_NODELETE);
        finders[i].collects = &all;
        range *message = actorbench_message_new(range, ACTORBENCH_DELETE);
        message->first = i * length;
        actorbench_send(finder, &finders[i], message);
    }
    actorbench_stop(); // waits for all
    std::cout << all.primes << " primes, the largest " << all.largest << ", found by actors of the "
              << actorbench_design << " design\n";
    return EXIT_SUCCESS;
}
