// What the workloads share of CAF: its settings, both kinds of actors, and how main learns what actors have done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

#include <caf/all.hpp>

#include "program.hpp"

// CAF's settings as the options ask for. All others are left as the library has them.
struct settings : caf::actor_system_config {
    explicit settings(const program &run) {
        set("scheduler.max-threads", run.workers());
        set("scheduler.policy", run.sharing() ? caf::atom("sharing") : caf::atom("stealing"));
    }
};

// How to refer to an actor that accepts messages of these signatures, and what its class derives from: with --typing
// static the compiler checks what is sent to it.
template <bool typed, class... Signatures> struct kind {
    using handle = caf::actor;
    using base = caf::event_based_actor;
};
template <class... Signatures> struct kind<true, Signatures...> {
    using handle = caf::typed_actor<Signatures...>;
    using base = typename handle::base;
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
