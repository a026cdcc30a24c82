/* What takes the place of core/platform/atomic.h, and of the waits of cpu.h and clock.h, when core/ is searched: the
 * same names, over relacy's atomics.
 *
 * A cell is an ATOMIC(type), a plain a PLAIN(type). Both live in memory that core/ takes for plain bytes: all zeroes
 * is one that nobody has touched, and the first touch makes what relacy keeps of it. Where a plain is touched by two
 * threads that nothing orders, or either after its block was freed, the execution fails (world.h has the blocks).
 *
 * A switch to another thread is tried before each operation of a cell; plains need none, since they must not race. To
 * initialise a cell is a relaxed store without a switch: who finds it without being ordered after it may find
 * nothing.
 */
#ifndef ACTORBENCH_SEARCH_CHECKER_H
#define ACTORBENCH_SEARCH_CHECKER_H

#include <relacy/relacy.hpp>

/* relacy's own names for these would reach into core/. */
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno

#include <cstdint>
#include <ctime>

#include "world.h"

namespace search {

template <typename T> struct same { typedef T type; };

template <typename T> class cell {
  public: /* of trivial types, so that it may be a member of a union, and last in a struct without a length */
    mutable rl::atomic<T> *made;
    mutable unsigned long life; /* the execution that made it */

    rl::atomic<T> &at(rl::debug_info_param info) const {
        the_world.touch(this, info);
        if (life != the_world.life) {
            life = the_world.life;
            made = the_world.make<rl::atomic<T>>();
        }
        return *made;
    }
};

template <typename T> class plain {
  public:
    plain() : value(), races(), life() {
    }
    plain(T initial) : value(), races(), life() {
        write(initial);
    }
    plain(const plain &other) : value(), races(), life() {
        write(other.read());
    }
    plain &operator=(T other) {
        write(other);
        return *this;
    }
    plain &operator=(const plain &other) {
        write(other.read());
        return *this;
    }
    operator T() const {
        return read();
    }
    T operator->() const {
        return read();
    }
    T operator++(int) {
        T before = read();
        write(T(before + 1));
        return before;
    }
    T operator--(int) {
        T before = read();
        write(T(before - 1));
        return before;
    }
    plain &operator+=(T more) {
        write(T(read() + more));
        return *this;
    }
    plain &operator-=(T less) {
        write(T(read() - less));
        return *this;
    }

  private:
    T value;
    mutable rl::var_data *races; /* who has read and written it, in relacy's vector clocks */
    mutable unsigned long life;

    rl::var_data &touched() const {
        the_world.touch(this, RL_INFO);
        if (life != the_world.life) {
            life = the_world.life;
            races = the_world.make_races();
        }
        return *races;
    }
    T read() const {
        the_world.require(touched().load(*rl::ctx().threadx_), "a read races with a write", rl::test_result_data_race);
        return value;
    }
    void write(T other) {
        the_world.require(touched().store(*rl::ctx().threadx_), "a write races", rl::test_result_data_race);
        value = other;
    }
};

template <typename T> void initialise(cell<T> *object, typename same<T>::type value, rl::debug_info_param info) {
    rl::ctx().disable_preemption();
    object->at(info).store(value, rl::mo_relaxed, info);
    rl::ctx().enable_preemption();
}

template <typename T>
bool compare_and_swap(cell<T> *object, T *expected, typename same<T>::type desired, rl::memory_order order,
                      rl::debug_info_param info) {
    return object->at(info).compare_exchange(rl::bool_t<false>(), *expected, desired, order, rl::mo_relaxed, info);
}

inline void yield(rl::debug_info_param info) {
    rl::ctx().yield(1, info);
}

} // namespace search

#define ATOMIC(type) search::cell<type>
#define PLAIN(type)  search::plain<type>

#define atomic_initialise(object, value) search::initialise(object, value, RL_INFO)

#define SEARCH_LOAD(object, order)            (object)->at(RL_INFO).load(rl::order, RL_INFO)
#define SEARCH_STORE(object, value, order)    (object)->at(RL_INFO).store(value, rl::order, RL_INFO)
#define SEARCH_EXCHANGE(object, value, order) (object)->at(RL_INFO).exchange(value, rl::order, RL_INFO)
#define SEARCH_ADD(object, value, order)      (object)->at(RL_INFO).fetch_add(value, rl::order, RL_INFO)
#define SEARCH_SUB(object, value, order)      (object)->at(RL_INFO).fetch_sub(value, rl::order, RL_INFO)
#define SEARCH_CAS(object, expected, desired, order) \
    search::compare_and_swap(object, expected, desired, rl::order, RL_INFO)

#define atomic_load_relaxed(object) SEARCH_LOAD(object, mo_relaxed)
#define atomic_load_acquire(object) SEARCH_LOAD(object, mo_acquire)
#define atomic_load_seq_cst(object) SEARCH_LOAD(object, mo_seq_cst)

#define atomic_store_relaxed(object, value) SEARCH_STORE(object, value, mo_relaxed)
#define atomic_store_release(object, value) SEARCH_STORE(object, value, mo_release)
#define atomic_store_seq_cst(object, value) SEARCH_STORE(object, value, mo_seq_cst)

#define atomic_exchange_acquire(object, value)  SEARCH_EXCHANGE(object, value, mo_acquire)
#define atomic_exchange_acq_rel(object, value)  SEARCH_EXCHANGE(object, value, mo_acq_rel)
#define atomic_exchange_seq_cst(object, value)  SEARCH_EXCHANGE(object, value, mo_seq_cst)
#define atomic_fetch_add_relaxed(object, value) SEARCH_ADD(object, value, mo_relaxed)
#define atomic_fetch_add_acq_rel(object, value) SEARCH_ADD(object, value, mo_acq_rel)
#define atomic_fetch_sub_relaxed(object, value) SEARCH_SUB(object, value, mo_relaxed)

#define atomic_cas_acq_rel(object, expected, desired) SEARCH_CAS(object, expected, desired, mo_acq_rel)
#define atomic_cas_seq_cst(object, expected, desired) SEARCH_CAS(object, expected, desired, mo_seq_cst)

/* Weaker than anything in core/: what its mutants use. */
#define atomic_exchange_relaxed(object, value)        SEARCH_EXCHANGE(object, value, mo_relaxed)
#define atomic_exchange_release(object, value)        SEARCH_EXCHANGE(object, value, mo_release)
#define atomic_fetch_add_acquire(object, value)       SEARCH_ADD(object, value, mo_acquire)
#define atomic_fetch_add_release(object, value)       SEARCH_ADD(object, value, mo_release)
#define atomic_cas_relaxed(object, expected, desired) SEARCH_CAS(object, expected, desired, mo_relaxed)
#define atomic_cas_acquire(object, expected, desired) SEARCH_CAS(object, expected, desired, mo_acquire)
#define atomic_cas_release(object, expected, desired) SEARCH_CAS(object, expected, desired, mo_release)

#define cpu_relax() search::yield(RL_INFO)
#define cpu_yield() search::yield(RL_INFO)

/* Time stands still: no claim that is searched depends on it. */
inline uint64_t clock_read_ns(clockid_t) {
    return 0;
}
inline uint64_t clock_cycles() {
    return 0;
}

/* C's word for it. The threads of an execution share one thread of the kernel, so that this means nothing here; what is
 * searched does not use it. */
#define _Thread_local

#define _Noreturn [[noreturn]]
#define _Static_assert static_assert
#define _Alignas alignas
#define _Alignof alignof

#endif
