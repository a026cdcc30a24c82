// What the workloads share of CAF: what its versions call by different names, its settings, both kinds of actors, and how main
// learns what actors have done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include <caf/all.hpp>

#include "program.hpp"

// ---- What differs between CAF's versions: 0.17; 0.18 and 0.19, which number message types; 1.x, which sends by mail --------

// Messages that say only what they are. Each is a type, `ball`, and its value, `ball_v`.
/* clang-format off */
#define ATOMS(ATOM) \
    ATOM(ball) ATOM(begin) ATOM(credit) ATOM(denied) ATOM(done) ATOM(eat) ATOM(facility) ATOM(full) ATOM(how_many) \
    ATOM(hungry) ATOM(idle) ATOM(increment) ATOM(leave) ATOM(may_grow) ATOM(ping) ATOM(pong) ATOM(seated) \
    ATOM(solution) ATOM(task) ATOM(tick) ATOM(token) ATOM(transfer) ATOM(turn) ATOM(visit)
/* clang-format on */

#if CAF_VERSION < 1800

#define ATOM(name)                                     \
    using name = caf::atom_constant<caf::atom(#name)>; \
    constexpr name name##_v{};
ATOMS(ATOM)

// An actor takes messages of these types together, and answers none.
template <class... Types> using takes = caf::reacts_to<Types...>;

// It answers such messages.
template <class Answer, class... Types> using answers = typename caf::replies_to<Types...>::template with<Answer>;

// Before anything of CAF is made.
struct types_known {};

inline caf::atom_value policy_called(const char *name) {
    return caf::atom_from_string(name);
}
#define SCHEDULER "scheduler."

#else

#define ATOM(name) CAF_ADD_ATOM(actorbench, name)
CAF_BEGIN_TYPE_ID_BLOCK(actorbench, first_custom_type_id)
ATOMS(ATOM)
CAF_ADD_TYPE_ID(actorbench, (std::vector<double>))
CAF_ADD_TYPE_ID(actorbench, (std::vector<std::uint32_t>))
CAF_END_TYPE_ID_BLOCK(actorbench)

template <class... Types> using takes = caf::result<void>(Types...);
template <class Answer, class... Types> using answers = caf::result<Answer>(Types...);

struct types_known {
    types_known() {
        caf::init_global_meta_objects<caf::id_block::actorbench>();
        caf::core::init_global_meta_objects();
    }
};

inline std::string policy_called(const char *name) {
    return name;
}
#define SCHEDULER  "caf.scheduler."

#endif
#undef ATOM

// An actor's send, which leaves an idle receiver to the sender's worker.
template <class Self, class Receiver, class... Values>
void send(Self *self, const Receiver &receiver, const Values &...values) {
#if CAF_VERSION < 10000
    self->anon_send(receiver, values...); // 0.18 then leaves out the sender, a counted reference that nobody asks for
#else
    self->mail(values...).send(receiver);
#endif
}

// An actor's request, whose answer it can await.
template <class Self, class Receiver, class... Values>
auto ask(Self *self, const Receiver &receiver, const Values &...values) {
#if CAF_VERSION < 10000
    return self->request(receiver, caf::infinite, values...);
#else
    return self->mail(values...).request(receiver, caf::infinite);
#endif
}

// Main's, which leaves idle receivers to the workers in turn.
template <class Receiver, class... Values> void send_by_main(const Receiver &receiver, const Values &...values) {
#if CAF_VERSION < 10000
    caf::anon_send(receiver, values...);
#else
    caf::anon_mail(values...).send(receiver);
#endif
}

// ---- What is the same in all ------------------------------------------------------------------------------------------------

// The send of an actor that sends to many idle ones: if they were all left to its worker (--placing own), the others
// would have to steal them one by one.
template <class Self, class Receiver, class... Values>
void deal(Self *self, const program &run, const Receiver &receiver, const Values &...values) {
    if (run.spread())
        send_by_main(receiver, values...);
    else
        send(self, receiver, values...);
}

// CAF's settings as the options ask for. All others are left as the library has them.
struct settings : private types_known, caf::actor_system_config {
    explicit settings(const program &run) {
        set(SCHEDULER "max-threads", run.workers());
        set(SCHEDULER "policy", policy_called(run.sharing() ? "sharing" : "stealing"));
    }
};

// How to refer to an actor that accepts messages of these signatures, and what its class derives from: with --typing
// static the compiler checks what is sent to it.
template <bool typed, class... Signatures> struct kind {
    using handle = caf::actor;
    using base = caf::event_based_actor;
};
template <class... Signatures> struct kind<true, Signatures...> {
    using base = typename caf::typed_actor<Signatures...>::base;
    using handle = caf::infer_handle_from_class_t<base>; // what spawning one gives; 1.x has another name for the type
};

// Lets main wait until so many actors have arrived: have taken up their behaviour. They are then waiting for messages.
class countdown {
  public:
    explicit countdown(std::uint64_t count) : left_{count} {
    }

    void arrive() {
        if (--left_ == 0) {
            std::lock_guard<std::mutex> guard{mutex_};
            none_left_.notify_all();
        }
    }

    void wait() {
        std::unique_lock<std::mutex> guard{mutex_};
        none_left_.wait(guard, [this] { return left_ == 0; });
    }

  private:
    std::atomic<std::uint64_t> left_;
    std::mutex mutex_;
    std::condition_variable none_left_;
};

// A count that every worker adds to without disturbing the others.
class tally {
  public:
    explicit tally(std::size_t workers) : counts_(workers) {
    }

    // Only workers may call it.
    void add() {
        counts_[number_of_this_worker()].value++;
    }

    // Exact when no actor is left.
    std::uint64_t sum() const {
        std::uint64_t sum = 0;
        for (const count &one : counts_)
            sum += one.value;
        return sum;
    }

  private:
    struct alignas(64) count {
        std::uint64_t value = 0;
    };

    static std::size_t number_of_this_worker() {
        static std::atomic<std::size_t> numbered{0};
        thread_local const std::size_t number = numbered++;
        return number;
    }

    std::vector<count> counts_;
};
