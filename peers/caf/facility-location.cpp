// facility-location: quadrants of a square decide where to open facilities for the customers that come.
//
// A quadrant keeps its customers, each at the cost of the way to the nearest facility that it knows of. When they cost
// too much together it opens one in its middle, tells its parent, and gives its customers to four children. A parent
// passes the news on to its own, and to the child opposite to the one that it has it from, which tells all below it.
// All end when the root knows that no news is on its way upwards any more. Quadrants are spawned lazily: one is
// scheduled when its first message comes.
#include "draw.hpp"
#include "system.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace {

constexpr double side = 500;
constexpr std::uint64_t no_child = UINT64_MAX;

struct point {
    double x, y;
};

double distance(point from, point to) {
    return std::sqrt((from.x - to.x) * (from.x - to.x) + (from.y - to.y) * (from.y - to.y));
}

// A customer; a facility below, by which child, or elsewhere (no_child); nobody comes any more; it ends; what there is
// below a child that sends nothing more: facilities and customers.
template <bool typed>
using quadrant_kind = kind<typed, takes<double, double>, takes<facility, double, double, std::uint64_t>, takes<done>,
                           takes<leave>, takes<std::uint64_t, std::uint64_t>>;
template <bool typed> using producer_kind = kind<typed, takes<turn>>;

template <bool typed> struct plan {
    plan(program &its_run, std::uint64_t its_amount, std::uint64_t alpha)
        : run{its_run}, amount{its_amount}, dear{static_cast<double>(alpha) * std::sqrt(2) * side} {
    }

    program &run;
    const std::uint64_t amount; // of customers
    const double dear;          // what customers of a quadrant may cost together
    typename quadrant_kind<typed>::handle root;
    typename producer_kind<typed>::handle the_producer;
    std::uint64_t told_facilities = 0, told_customers = 0; // the root, in the end
    // By quadrants that have ended; those are outside that are not in their quadrant, those uninformed that have not
    // heard of as many as were opened below.
    std::atomic<std::uint64_t> facilities{0}, customers{0}, outside{0}, uninformed{0};
    countdown ready{1};
};

template <bool typed> class producer : public producer_kind<typed>::base {
    using base = typename producer_kind<typed>::base;

  public:
    producer(caf::actor_config &config, plan<typed> &all) : base{config}, all_{all} {
    }

    typename base::behavior_type make_behavior() override {
        all_.ready.arrive();
        return {[this](turn) {
            if (produced_ == all_.amount) {
                send(this, all_.root, done_v);
                this->quit();
                return;
            }
            std::uint64_t drawn = draw(all_.run.seed(), 0, produced_++);
            send(this, all_.root, static_cast<double>(upper_below(drawn, UINT32_MAX)) * side / UINT32_MAX,
                 static_cast<double>(lower_below(drawn, UINT32_MAX)) * side / UINT32_MAX);
        }};
    }

  private:
    plan<typed> &all_;
    std::uint64_t produced_ = 0;
};

// What a quadrant is made from, and with.
struct area {
    point middle;
    double half;                   // of its side
    std::vector<point> facilities; // that it knows of, its own among them
    std::vector<point> customers = {};
    double cost = 0; // of its customers

    void keep(point customer) {
        double least = std::numeric_limits<double>::infinity();
        for (point each : facilities)
            least = std::min(least, distance(each, customer));
        cost += least;
        customers.push_back(customer);
    }

    // Which child's a place is: 1: on the right, 2: at the top.
    std::uint64_t child_of(point place) const {
        return (place.x >= middle.x) + 2 * (place.y >= middle.y);
    }

    area child(std::uint64_t index) const {
        point its{middle.x + ((index & 1) != 0 ? half / 2 : -half / 2),
                  middle.y + ((index & 2) != 0 ? half / 2 : -half / 2)};
        area made{its, half / 2, facilities};
        made.facilities.push_back(its);
        return made;
    }
};

template <bool typed> class quadrant : public quadrant_kind<typed>::base {
    using base = typename quadrant_kind<typed>::base;
    using handle = typename quadrant_kind<typed>::handle;

  public:
    // The root has no parent.
    quadrant(caf::actor_config &config, plan<typed> &all, handle parent, std::uint64_t index, area its)
        : base{config}, all_{all}, parent_{std::move(parent)}, index_{index}, area_{std::move(its)} {
    }

    typename base::behavior_type make_behavior() override {
        return {
            [this](double x, double y) {
                take({x, y});
                if (!parent_)
                    send(this, all_.the_producer, turn_v);
            },
            [this](facility, double x, double y, std::uint64_t child) {
                area_.facilities.push_back({x, y});
                told_ += child != no_child;
                if (child != no_child && parent_)
                    send(this, parent_, facility_v, x, y, index_);
                for (std::uint64_t i = 0; i < children_.size(); i++)
                    if (child == no_child || i + child == children_.size() - 1)
                        send(this, children_[i], facility_v, x, y, no_child);
            },
            [this](done) {
                pass_on(done_v);
                if (children_.empty())
                    confirm(0, area_.customers.size());
            },
            [this](leave) {
                pass_on(leave_v);
                this->quit();
            },
            [this](std::uint64_t facilities, std::uint64_t customers) {
                below_ += facilities;
                received_ += customers;
                if (++confirmed_ == children_.size())
                    confirm(below_ + 1, received_);
            },
        };
    }

    void on_exit() override {
        for (point each : area_.customers)
            all_.outside +=
                std::fabs(each.x - area_.middle.x) > area_.half || std::fabs(each.y - area_.middle.y) > area_.half;
        all_.customers += area_.customers.size();
        all_.facilities += !children_.empty();
        all_.uninformed += told_ != below_;
        children_.clear();
    }

  private:
    void take(point customer) {
        if (children_.empty())
            area_.keep(customer);
        else
            send(this, children_[area_.child_of(customer)], customer.x, customer.y);
        if (children_.empty() && area_.cost > all_.dear)
            open();
    }

    void open() {
        if (parent_)
            send(this, parent_, facility_v, area_.middle.x, area_.middle.y, index_);
        std::array<area, 4> quarters{area_.child(0), area_.child(1), area_.child(2), area_.child(3)};
        for (point each : area_.customers)
            quarters[area_.child_of(each)].keep(each);
        area_.customers.clear();
        for (std::uint64_t i = 0; i < quarters.size(); i++)
            children_.push_back(this->template spawn<quadrant, caf::lazy_init>(all_, caf::actor_cast<handle>(this), i,
                                                                               std::move(quarters[i])));
    }

    // All below it have.
    void confirm(std::uint64_t facilities, std::uint64_t customers) {
        if (parent_) {
            send(this, parent_, facilities, customers);
            return;
        }
        all_.told_facilities = facilities;
        all_.told_customers = customers;
        send(this, this, leave_v);
    }

    template <class Message> void pass_on(Message message) {
        for (const auto &each : children_)
            send(this, each, message);
    }

    plan<typed> &all_;
    const handle parent_;
    const std::uint64_t index_; // among its parent's children
    area area_;
    std::vector<handle> children_;                           // none: its facility is not open
    std::uint64_t told_ = 0;                                 // news from below
    std::uint64_t below_ = 0, received_ = 0, confirmed_ = 0; // facilities and customers, by so many children
};

template <bool typed> void check(const plan<typed> &all) {
    all.run.expect(all.told_customers, all.amount, "customers were counted");
    all.run.expect(all.customers, all.amount, "customers were kept");
    all.run.expect(all.told_facilities, all.facilities, "facilities were counted");
    if (all.outside != 0)
        all.run.wrong(std::to_string(all.outside) + " customers are not in their quadrant");
    if (all.uninformed != 0)
        all.run.wrong(std::to_string(all.uninformed) + " quadrants heard of too few facilities, or too many");
}

template <bool typed> std::uint64_t locate(program &run, std::uint64_t customers, std::uint64_t alpha) {
    settings config{run};
    caf::actor_system system{config};
    plan<typed> all{run, customers, alpha};
    point middle{side / 2, side / 2};
    all.root = system.spawn<quadrant<typed>, caf::lazy_init>(all, typename quadrant_kind<typed>::handle{},
                                                             std::uint64_t{0}, area{middle, side / 2, {middle}});
    all.the_producer = system.spawn<producer<typed>>(all);
    all.ready.wait();
    run.start_clock();
    send_by_main(all.the_producer, turn_v);
    system.await_all_actors_done();
    run.stop_clock();
    check(all);
    return customers;
}

} // namespace

int main(int argc, char **argv) {
    std::uint64_t customers = 100000, alpha = 2;
    program run{"facility-location",
                "quadrants of a square decide where to open facilities for the customers that come",
                "customer",
                {
                    {"customers", customers, "that come; --scale multiplies it"},
                    {"alpha", alpha, "times the square's diagonal is what a quadrant's customers may cost"},
                }};
    return run.main(argc, argv, [&] {
        std::uint64_t scaled = run.scaled(customers);
        if (scaled > UINT32_MAX)
            run.refuse("--customers " + std::to_string(customers) + ": with --scale they must be under 2^32");
        return run.typed() ? locate<true>(run, scaled, alpha) : locate<false>(run, scaled, alpha);
    });
}
