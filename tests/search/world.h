/* The world of one execution: the memory that core/ allocates in it, and what relacy keeps of the objects there.
 *
 * Blocks are never used twice in an execution, unless the scenario asks for it (reuses_blocks), so that no pointer to
 * a freed block goes unnoticed. To touch an object counts as a read of its block, and to free the block as a write: a
 * free that is not ordered after all touches fails as a race, whatever the order in which it happened to run.
 */
#ifndef ACTORBENCH_SEARCH_WORLD_H
#define ACTORBENCH_SEARCH_WORLD_H

#include <cstring>

namespace search {

struct block {
    char *begin, *end;
    bool is_free;
    rl::var_data *races; /* touches are reads, free a write */
};

class world {
  public:
    unsigned long life; /* the number of this execution; what was made in another is not there */
    bool reuses_blocks;
    const void *parked_on[8]; /* by thread: the word on which it sleeps, or NULL; see platform/parking.h */
    unsigned early_wakes[8];  /* by thread: how many of its next waits return at once, for no reason */

    void begin(bool reuse) {
        life++;
        reuses_blocks = reuse;
        std::memset(parked_on, 0, sizeof parked_on);
        std::memset(early_wakes, 0, sizeof early_wakes);
        used = block_count = object_count = live_count = 0;
    }

    /* Every block must have been freed. */
    void end() {
        require(live_count == 0, "a block is never freed", rl::test_result_memory_leak);
        for (size_t i = 0; i < object_count; i++)
            objects[i].destroy(objects[i].object);
    }

    void *allocate(size_t size) {
        live_count++;
        for (size_t i = 0; reuses_blocks && i < block_count; i++)
            if (blocks[i].is_free && size == size_t(blocks[i].end - blocks[i].begin))
                return renew(blocks[i]);
        if (block_count == MOST_BLOCKS || used + size + LINE > sizeof memory)
            std::abort(); /* make them larger */
        block &fresh = blocks[block_count++];
        fresh.begin = memory + used;
        fresh.end = fresh.begin + size;
        used += (size / LINE + 1) * LINE; /* so that no two blocks touch */
        return renew(fresh);
    }

    void release(const void *address) {
        if (address == NULL)
            return;
        block *freed = find(address);
        require(freed != NULL && freed->begin == address, "no block begins at what is freed",
                rl::test_result_double_free);
        require(!freed->is_free, "a block is freed twice", rl::test_result_double_free);
        require(freed->races->store(*rl::ctx().threadx_), "a free races with a use", rl::test_result_data_race);
        freed->is_free = true;
        live_count--;
    }

    /* Called for every object that is about to be read or written. */
    void touch(const void *address, rl::debug_info_param info) {
        if (uintptr_t(address) < PAGE)
            rl::ctx().fail_test("through a null pointer", rl::test_result_access_to_freed_memory, info);
        block *touched = find(address);
        if (touched == NULL && (address < memory || address >= memory + sizeof memory))
            return; /* a global, or on the stack */
        if (touched == NULL)
            rl::ctx().fail_test("outside of any block", rl::test_result_access_to_freed_memory, info);
        if (touched->is_free)
            rl::ctx().fail_test("used after free", rl::test_result_access_to_freed_memory, info);
        if (!touched->races->load(*rl::ctx().threadx_))
            rl::ctx().fail_test("not ordered after its allocation", rl::test_result_data_race, info);
    }

    void require(bool condition, const char *complaint, rl::test_result_e kind) {
        if (!condition)
            rl::ctx().fail_test(complaint, kind, RL_INFO);
    }

    /* An object of relacy's, until the end of the execution. */
    template <typename T> T *make() {
        T *made = ::new (std::malloc(sizeof(T))) T;
        remember(made, [](void *object) {
            static_cast<T *>(object)->~T();
            std::free(object);
        });
        return made;
    }

    rl::var_data *make_races() {
        rl::var_data *made = rl::ctx().var_ctor();
        remember(made, [](void *object) { rl::ctx().var_dtor(static_cast<rl::var_data *>(object)); });
        return made;
    }

  private:
    enum { PAGE = 4096, LINE = 128, MOST_BLOCKS = 64, MOST_OBJECTS = 4096 };

    struct {
        void *object;
        void (*destroy)(void *);
    } objects[MOST_OBJECTS];
    size_t object_count, block_count, live_count, used;
    block blocks[MOST_BLOCKS];
    alignas(LINE) char memory[256 * 1024];

    void remember(void *object, void (*destroy)(void *)) {
        if (object_count == MOST_OBJECTS)
            std::abort();
        objects[object_count].object = object;
        objects[object_count++].destroy = destroy;
    }

    void *renew(block &fresh) {
        std::memset(fresh.begin, 0, size_t(fresh.end - fresh.begin));
        fresh.is_free = false;
        fresh.races = make_races();
        fresh.races->init(*rl::ctx().threadx_);
        return fresh.begin;
    }

    block *find(const void *address) {
        for (size_t i = block_count; i-- > 0;)
            if (address >= blocks[i].begin && address < blocks[i].end)
                return &blocks[i];
        return NULL;
    }
};

extern world the_world;

} // namespace search

#endif
