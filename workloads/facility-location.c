/* facility-location: quadrants of a square decide where to open facilities for the customers that come (Savina, Imam and
 * Sarkar, AGERE 2014, "Facility Location").
 *
 * A quadrant keeps its customers, each at the cost of the way to the nearest facility that it knows of. When they cost too
 * much together it opens one in its middle, tells its parent, and gives its customers to four children. A parent passes
 * the news on to its own, and to the child opposite to the one that it has it from, which tells all below it. News are on
 * their way while customers come, so how many facilities are opened is up to the schedule; but every customer has to end
 * in its quadrant, and every quadrant to hear of all that were opened below it.
 *
 * Savina's generator puts nearly all customers into a corner; here they are spread over the square. In Savina a quadrant may
 * have ended when it is told news; here all end when the root knows that none is on its way upwards any more.
 */
#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "places.h"

enum { CHILDREN = 4, SIDE = 500 };

static uint64_t customers = 100000, alpha = 2;
static uint64_t amount; /* of customers, in this run */
static double dear;     /* what customers of a quadrant may cost together */

typedef struct customer customer;
struct customer {
    struct actorbench_message message;
    struct point point;
    customer *next; /* of the same quadrant */
};
ACTORBENCH_MESSAGE_TYPE(customer)

typedef struct {
    struct actorbench_message message;
} notice;
ACTORBENCH_MESSAGE_TYPE(notice)

/* That a facility was opened. */
typedef struct {
    struct actorbench_message message;
    struct point point;
    bool from_below;
    unsigned child; /* whose news it is then */
} news;
ACTORBENCH_MESSAGE_TYPE(news)

/* From a child: it sends nothing more, and so much is in it and below. */
typedef struct {
    struct actorbench_message message;
    uint64_t facilities, customers;
} confirmation;
ACTORBENCH_MESSAGE_TYPE(confirmation)

typedef struct quadrant quadrant;
struct quadrant {
    struct actorbench_actor actor;
    quadrant *parent;             /* NULL: it is the root */
    unsigned index;               /* among its parent's children: 1: on the right, 2: at the top */
    quadrant *children[CHILDREN]; /* NULL: its facility is not open */
    struct point middle;
    double half;             /* of its side */
    struct places known;     /* facilities, its own among them */
    uint64_t told;           /* news from below */
    customer *first;         /* of its customers */
    double cost;             /* of these */
    uint64_t open, received; /* facilities and customers, in it and below: told in the end */
    uint64_t confirmed;      /* children */
};
/* clang-format off */
#define BEHAVIOURS_quadrant(ON)                                                                                \
    ON(quadrant, customer, quadrant_takes) ON(quadrant, news, quadrant_hears) ON(quadrant, notice, quadrant_ends) \
    ON(quadrant, confirmation, quadrant_confirms)
/* clang-format on */
ACTORBENCH_ACTOR_TYPE(quadrant)

typedef struct {
    struct actorbench_actor actor;
    customer *all;
    uint64_t produced;
} producer;
#define BEHAVIOURS_producer(ON) ON(producer, notice, producer_produces)
ACTORBENCH_ACTOR_TYPE(producer)

static quadrant *root;
static producer the_producer;
static notice next, close, end; /* what is sent is their address */

static enum actorbench_allocation producer_produces(producer *self, notice *message) {
    (void)message;
    if (self->produced == amount) {
        actorbench_send(quadrant, root, &close);
        return ACTORBENCH_FINISHED;
    }
    uint64_t drawn = draw(0, self->produced);
    customer *made = &self->all[self->produced++];
    made->point.x = (double)upper_below(drawn, UINT32_MAX) * SIDE / UINT32_MAX;
    made->point.y = (double)lower_below(drawn, UINT32_MAX) * SIDE / UINT32_MAX;
    actorbench_send(quadrant, root, made);
    return ACTORBENCH_NODELETE;
}

static void keep(quadrant *self, customer *kept) {
    self->cost += places_nearest(&self->known, kept->point);
    self->received++;
    kept->next = self->first;
    self->first = kept;
}

static quadrant *quadrant_new(quadrant *parent, unsigned index) {
    quadrant *made = actorbench_actor_new(quadrant);
    made->parent = parent;
    made->index = index;
    made->half = parent == NULL ? SIDE / 2.0 : parent->half / 2;
    made->middle = (struct point){made->half, made->half};
    if (parent != NULL) {
        made->middle.x = parent->middle.x + ((index & 1) != 0 ? made->half : -made->half);
        made->middle.y = parent->middle.y + ((index & 2) != 0 ? made->half : -made->half);
        places_add_all(&made->known, &parent->known);
    }
    places_add(&made->known, made->middle);
    return made;
}

static void tell(quadrant *told, struct point facility, bool from_below, unsigned child) {
    news *sent = actorbench_message_new(news, ACTORBENCH_DELETE);
    sent->point = facility;
    sent->from_below = from_below;
    sent->child = child;
    actorbench_send(quadrant, told, sent);
}

static quadrant *child_of(const quadrant *self, struct point point) {
    return self->children[(point.x >= self->middle.x) + 2 * (point.y >= self->middle.y)];
}

static void open_facility(quadrant *self) {
    if (self->parent != NULL)
        tell(self->parent, self->middle, true, self->index);
    for (unsigned i = 0; i < CHILDREN; i++)
        self->children[i] = quadrant_new(self, i);
    for (customer *kept = self->first, *following; kept != NULL; kept = following) {
        following = kept->next;
        keep(child_of(self, kept->point), kept);
    }
    self->first = NULL;
    self->open = 1;
    self->received = 0;
}

static enum actorbench_allocation quadrant_takes(quadrant *self, customer *taken) {
    if (self->open != 0)
        actorbench_send(quadrant, child_of(self, taken->point), taken);
    else
        keep(self, taken);
    if (self->open == 0 && self->cost > dear)
        open_facility(self);
    if (self->parent == NULL)
        actorbench_send(producer, &the_producer, &next);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation quadrant_hears(quadrant *self, news *heard) {
    places_add(&self->known, heard->point);
    self->told += heard->from_below;
    if (heard->from_below && self->parent != NULL)
        tell(self->parent, heard->point, true, self->index);
    for (unsigned i = 0; self->open != 0 && i < CHILDREN; i++)
        if (!heard->from_below || i == CHILDREN - 1 - heard->child)
            tell(self->children[i], heard->point, false, 0);
    return ACTORBENCH_NODELETE;
}

/* When all below it has confirmed. */
static void confirm(quadrant *self) {
    if (self->parent == NULL) {
        actorbench_send(quadrant, self, &end);
        return;
    }
    confirmation *sent = actorbench_message_new(confirmation, ACTORBENCH_DELETE);
    sent->facilities = self->open;
    sent->customers = self->received;
    actorbench_send(quadrant, self->parent, sent);
}

static enum actorbench_allocation quadrant_confirms(quadrant *self, confirmation *confirmed) {
    self->open += confirmed->facilities;
    self->received += confirmed->customers;
    if (++self->confirmed == CHILDREN)
        confirm(self);
    return ACTORBENCH_NODELETE;
}

static enum actorbench_allocation quadrant_ends(quadrant *self, notice *message) {
    for (unsigned i = 0; self->open != 0 && i < CHILDREN; i++)
        actorbench_send(quadrant, self->children[i], message);
    if (message == &close && self->open == 0)
        confirm(self);
    return message == &end ? ACTORBENCH_FINISHED : ACTORBENCH_NODELETE;
}

static const struct parameter parameters[] = {
    {"customers", &customers, NULL, 1, "that come; --scale multiplies it"},
    {"alpha", &alpha, NULL, 1, "times the square's diagonal is what a quadrant's customers may cost"},
    {0},
};

static const struct workload workload = {
    .name = "facility-location",
    .summary = "quadrants of a square decide where to open facilities for the customers that come",
    .unit = "customer",
    .parameters = parameters,
};

/* What a quadrant and all below it hold, by its own customers; frees them. */
static struct {
    uint64_t customers, outside; /* customers; those that are not in their quadrant */
    uint64_t uninformed;         /* quadrants that have not heard of all that was opened below */
} found;
static uint64_t check(quadrant *self) {
    uint64_t open = 0;
    for (customer *kept = self->first; kept != NULL; kept = kept->next) {
        found.customers++;
        found.outside +=
            fabs(kept->point.x - self->middle.x) > self->half || fabs(kept->point.y - self->middle.y) > self->half;
    }
    for (unsigned i = 0; i < CHILDREN && self->children[i] != NULL; i++)
        open += check(self->children[i]);
    found.uninformed += self->told != open;
    open += self->children[0] != NULL;
    free(self->known.points);
    free(self);
    return open;
}

static void verify(void) {
    uint64_t open = root->open, received = root->received, below = check(root);
    if (received != amount || found.customers != amount || found.outside != 0)
        workload_wrong("of %llu customers %llu were counted, %llu kept, and %llu not in their quadrant",
                       (unsigned long long)amount, (unsigned long long)received, (unsigned long long)found.customers,
                       (unsigned long long)found.outside);
    if (open != below || found.uninformed != 0)
        workload_wrong("of %llu facilities %llu were counted, and %llu quadrants heard of too few or too many",
                       (unsigned long long)below, (unsigned long long)open, (unsigned long long)found.uninformed);
}

int main(int argc, char **argv) {
    workload_begin(&workload, argc, argv);
    amount = workload_scaled(customers);
    if (amount > UINT32_MAX)
        workload_refuse("the customers must be under 2^32");
    dear = (double)alpha * sqrt(2) * SIDE;
    the_producer.all = calloc(amount, sizeof *the_producer.all);
    if (the_producer.all == NULL)
        workload_refuse("--customers %llu: there is not enough memory for so many", (unsigned long long)customers);

    workload_start_executor();
    actorbench_message_init(notice, &next, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &close, ACTORBENCH_NODELETE);
    actorbench_message_init(notice, &end, ACTORBENCH_NODELETE);
    for (uint64_t i = 0; i < amount; i++)
        actorbench_message_init(customer, &the_producer.all[i], ACTORBENCH_NODELETE);
    actorbench_actor_init(producer, &the_producer);
    root = quadrant_new(NULL, 0);
    workload_start_clock();
    actorbench_send(producer, &the_producer, &next);
    actorbench_wait();
    workload_stop_clock();
    actorbench_stop();

    verify();
    free(the_producer.all);
    return workload_end(amount, 0);
}
