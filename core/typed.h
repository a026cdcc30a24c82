/* What picks a behaviour by a message's type when a program is compiled; a part of actor.h, and not for programs.
 *
 * In C by _Generic, in C++ by overloads: a function A_behaviour for each message type in BEHAVIOURS_A, and a template for all
 * others, which knows the poison pills.
 */
#ifndef ACTORBENCH_TYPED_H
#define ACTORBENCH_TYPED_H

/* The formatter does not know _Generic. */
/* clang-format off */

#define ACTORBENCH_DECLARE_MESSAGE(M, destructor)                                                                    \
    ACTORBENCH_EMBEDS_FIRST(M, message)                                                                              \
    __attribute__((unused)) static struct actorbench_message_tally M##_tally;                                        \
    __attribute__((unused)) static const struct actorbench_message_type M##_type =                                   \
        {#M, destructor, sizeof(M), &M##_tally};

#define ACTORBENCH_DECLARE_ACTOR(A, destructor)                                                                      \
    ACTORBENCH_EMBEDS_FIRST(A, actor)                                                                                \
    ACTORBENCH_OTHER_BEHAVIOURS(A)                                                                                   \
    BEHAVIOURS_##A(ACTORBENCH_THUNK)                                                                                 \
    __attribute__((unused)) static const struct actorbench_actor_type A##_type = {#A, destructor, sizeof(A)};

/* A thunk a behaviour: it has the executor's signature, so that no function is called through a wrong type. */
#define ACTORBENCH_THUNK(A, M, function)                                                                             \
    ACTORBENCH_EMBEDS_FIRST(M, message)                                                                              \
    static enum actorbench_allocation function(A *, M *);                                                            \
    static inline enum actorbench_allocation A##_on_##M(struct actorbench_actor *base_actor,                         \
                                                        struct actorbench_message *base_message) {                   \
        return function((A *)base_actor, (M *)base_message);                                                         \
    }                                                                                                                \
    ACTORBENCH_OVERLOAD(A, M)

#if defined(__cplusplus)

#include <type_traits>

/* What every actor does with a message of type M, if it is a pill or an error. */
namespace actorbench {
template <typename M> struct by_default {
    static constexpr actorbench_behaviour *behaviour = nullptr;
};
template <> struct by_default<actorbench_delete_pill> {
    static constexpr actorbench_behaviour *behaviour = actorbench_on_delete;
};
template <> struct by_default<actorbench_destroy_pill> {
    static constexpr actorbench_behaviour *behaviour = actorbench_on_destroy;
};
template <> struct by_default<actorbench_finished_pill> {
    static constexpr actorbench_behaviour *behaviour = actorbench_on_finished;
};
template <> struct by_default<actorbench_error> {
    static constexpr actorbench_behaviour *behaviour = actorbench_on_error;
};

/* Its argument, if that is a T *. */
template <typename T> T *typed(T *pointer) {
    return pointer;
}

/* The size of a type whose objects are there without a constructor's doing. */
template <typename T> constexpr size_t plain_size() {
    static_assert(std::is_trivially_default_constructible<T>::value,
                  "the type has a constructor: make its objects by new, and ready by actorbench_actor_init or "
                  "actorbench_message_init");
    return sizeof(T);
}
} // namespace actorbench

#define ACTORBENCH_BASE(T, pointer, base) (&actorbench::typed<T>(pointer)->base)

#define ACTORBENCH_EMBEDS_FIRST(T, base)                                                                             \
    static_assert(std::is_standard_layout<T>::value && offsetof(T, base) == 0 &&                                     \
                      std::is_same<decltype(T::base), struct actorbench_##base>::value,                              \
                  #T " must embed `struct actorbench_" #base " " #base "` as its first member, and be of standard layout");

#define ACTORBENCH_ALLOCATED(T, allocate, ...)                                                                       \
    (static_cast<T *>(allocate(actorbench::plain_size<T>(), alignof(T), __VA_ARGS__)))

#define ACTORBENCH_OVERLOAD(A, M)                                                                                    \
    __attribute__((unused)) static inline actorbench_behaviour *A##_behaviour(const M *) {                           \
        return A##_on_##M;                                                                                           \
    }

#define ACTORBENCH_OTHER_BEHAVIOURS(A)                                                                               \
    template <typename M> static inline actorbench_behaviour *A##_behaviour(const M *) {                             \
        static_assert(actorbench::by_default<M>::behaviour != nullptr,                                               \
                      "actor type " #A " has no behaviour for the message: list its type in BEHAVIOURS_" #A);        \
        return actorbench::by_default<M>::behaviour;                                                                 \
    }

/* `pointer` gives its type; it is not evaluated. */
#define ACTORBENCH_BEHAVIOUR(A, pointer) A##_behaviour(true ? nullptr : (pointer))

#define ACTORBENCH_SEND_1(A, base, m) actorbench_post(base, &(m)->message, ACTORBENCH_BEHAVIOUR(A, m))

#else

/* The base of a derived object, if `pointer` is a T *; otherwise the compiler names both types. */
#define ACTORBENCH_BASE(T, pointer, base) (&_Generic((pointer), T *: (pointer))->base)

#define ACTORBENCH_EMBEDS_FIRST(T, base)                                                                             \
    _Static_assert(_Generic(&((T *)0)->base, struct actorbench_##base *: offsetof(T, base) == 0, default: 0),        \
                   #T " must embed `struct actorbench_" #base " " #base "` as its first member");

#define ACTORBENCH_ALLOCATED(T, allocate, ...) ((T *)allocate(sizeof(T), _Alignof(T), __VA_ARGS__))

#define ACTORBENCH_OVERLOAD(A, M)
#define ACTORBENCH_OTHER_BEHAVIOURS(A)

/* The thunk for a message, found by its pointer's type: the type's own behaviours first, then the pills. With neither,
 * the static assertion names the actor type, and the mismatched argument of actorbench_post names the message's. */
#define ACTORBENCH_CASE(A, M, function)  M * : A##_on_##M,
#define ACTORBENCH_KNOWN(A, M, function) M * : 1,
#define ACTORBENCH_BEHAVIOUR(A, pointer)                                                                             \
    _Generic((pointer), BEHAVIOURS_##A(ACTORBENCH_CASE) default: _Generic((pointer),                                 \
             actorbench_delete_pill *: actorbench_on_delete,                                                         \
             actorbench_destroy_pill *: actorbench_on_destroy,                                                       \
             actorbench_finished_pill *: actorbench_on_finished,                                                     \
             actorbench_error *: actorbench_on_error,                                                                \
             default: (pointer)))
#define ACTORBENCH_ACCEPTS(A, pointer)                                                                               \
    _Generic((pointer), BEHAVIOURS_##A(ACTORBENCH_KNOWN) default: _Generic((pointer),                                \
             actorbench_delete_pill *: 1, actorbench_destroy_pill *: 1, actorbench_finished_pill *: 1, default: 0))

#define ACTORBENCH_SEND_1(A, base, m)                                                                                \
    ((void)sizeof(struct {                                                                                           \
         _Static_assert(ACTORBENCH_ACCEPTS(A, m), "actor type " #A " has no behaviour for the message " #m           \
                                                  ": list its type in BEHAVIOURS_" #A);                              \
         int unused;                                                                                                 \
     }),                                                                                                             \
     actorbench_post(base, &(m)->message, ACTORBENCH_BEHAVIOUR(A, m)))

#endif

#define ACTORBENCH_SEND_2(A, base, m, ...) ACTORBENCH_SEND_1(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_3(A, base, m, ...) ACTORBENCH_SEND_2(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_4(A, base, m, ...) ACTORBENCH_SEND_3(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_5(A, base, m, ...) ACTORBENCH_SEND_4(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_6(A, base, m, ...) ACTORBENCH_SEND_5(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_7(A, base, m, ...) ACTORBENCH_SEND_6(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)
#define ACTORBENCH_SEND_8(A, base, m, ...) ACTORBENCH_SEND_7(A, ACTORBENCH_SEND_1(A, base, m), __VA_ARGS__)

#define ACTORBENCH_CONCATENATE(left, right)  ACTORBENCH_CONCATENATE_(left, right)
#define ACTORBENCH_CONCATENATE_(left, right) left##right
#define ACTORBENCH_ARGUMENTS(...)            ACTORBENCH_ARGUMENTS_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define ACTORBENCH_ARGUMENTS_(m1, m2, m3, m4, m5, m6, m7, m8, count, ...) count

/* clang-format on */

#endif
