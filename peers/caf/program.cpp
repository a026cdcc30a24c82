// The command line, the clock and the record of every program.
#include "program.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include <gnu/libc-version.h>
#include <sched.h>
#include <time.h>

#include <caf/config.hpp>

namespace {

constexpr std::uint64_t largest_workers = 4096;

// Bad usage: what will be said on standard error.
struct refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const std::string version = std::to_string(CAF_MAJOR_VERSION) + "." + std::to_string(CAF_MINOR_VERSION) + "." +
                            std::to_string(CAF_PATCH_VERSION);
#ifdef __clang__
const std::string compiler = __VERSION__;
#else
const std::string compiler = "GCC " __VERSION__;
#endif
// The runtime of C++ is but a library; the memory of actors and messages is glibc's.
const std::string runtime = compiler + ", glibc " + gnu_get_libc_version();

std::uint64_t nanoseconds(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1000000000 + static_cast<std::uint64_t>(now.tv_nsec);
}

// The CPUs that this process may use.
std::size_t cpus_at_hand() {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return static_cast<std::size_t>(CPU_COUNT(&set));
    return std::max(1U, std::thread::hardware_concurrency());
}

// The peak of the process' own resident memory, or 0 if the kernel does not tell.
std::uint64_t peak_rss_bytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmHWM:", 0) == 0)
            return std::strtoull(line.c_str() + std::strlen("VmHWM:"), nullptr, 10) * 1024;
    return 0;
}

std::string joined(const std::vector<std::string> &words, const std::string &separator) {
    std::string text;
    for (const std::string &word : words)
        text += (text.empty() ? "" : separator) + word;
    return text;
}

// Names and texts are the program's own, or were checked against a list of choices: nothing needs escaping.
std::string quoted(const std::string &text) {
    return '"' + text + '"';
}

std::string shown(const parameter &one) {
    return one.choices.empty() ? std::to_string(one.value) : one.choices[one.value];
}

std::vector<std::string> json_members(const std::vector<parameter> &parameters) {
    std::vector<std::string> members;
    for (const parameter &one : parameters)
        members.push_back(quoted(one.name) + ':' + (one.choices.empty() ? shown(one) : quoted(shown(one))));
    return members;
}

std::string formatted(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", number);
    return text;
}

// What this file is compiled for, of the manifest's two systems; and the number of its default policy.
#ifdef SHARING
const std::string system_name = "caf-sharing";
constexpr std::uint64_t default_policy = 1;
#else
const std::string system_name = "caf";
constexpr std::uint64_t default_policy = 0;
#endif

} // namespace

program::program(std::string name, std::string summary, std::string unit, std::vector<parameter> parameters)
    : name_(std::move(name)), summary_(std::move(summary)), unit_(std::move(unit)), policy_(default_policy),
      parameters_(std::move(parameters)),
      options_{
          {"policy", policy_, "how workers share actors that have messages", {"stealing", "sharing"}},
          {"typing", typing_, "when the types of messages are checked", {"static", "dynamic"}},
          {"placing",
           placing_,
           "repeat, fork-join: on whose queue a send puts its receiver: each worker's in turn, or the sender's",
           {"spread", "own"}},
      } {
}

int program::main(int argc, char **argv, const std::function<std::uint64_t()> &work) {
    std::string problem = "there is not enough memory for so much";
    try {
        read(argc, argv);
        std::uint64_t operations = work();
        if (json_)
            print_json(operations);
        else
            print_text(operations);
        if (std::fflush(stdout) != 0)
            wrong(std::string("the record cannot be written: ") + std::strerror(errno));
        return verified_ ? 0 : 1;
    } catch (const refusal &why) {
        problem = why.what();
    } catch (const std::bad_alloc &) {
    } catch (const std::length_error &) {
    }
    std::fprintf(stderr, "%s: %s\n", name_.c_str(), problem.c_str());
    return 2;
}

void program::refuse(const std::string &why) const {
    throw refusal(why);
}

std::uint64_t program::scaled(std::uint64_t amount) const {
    double product = static_cast<double>(amount) * scale_;
    if (product > 1e15)
        refuse("--scale " + formatted(scale_) + " is too large: it asks for " + formatted(product) + " units of work");
    return product < 1.0 ? 1 : static_cast<std::uint64_t>(std::llround(product));
}

// ---- The clock and the verdict --------------------------------------------------------------------------------------

void program::start_clock() {
    cpu_started_ns_ = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
    started_ns_ = nanoseconds(CLOCK_MONOTONIC);
}

void program::stop_clock() {
    stopped_ns_ = nanoseconds(CLOCK_MONOTONIC);
    cpu_stopped_ns_ = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
}

void program::measure(const std::string &name, double value) {
    measured_.emplace_back(name, value);
}

void program::wrong(const std::string &why) {
    std::fprintf(stderr, "%s: wrong result: %s\n", name_.c_str(), why.c_str());
    verified_ = false;
}

bool program::expect(std::uint64_t count, std::uint64_t expected, const std::string &what) {
    expected += falsified_;
    if (count != expected)
        wrong(std::to_string(count) + ' ' + what + " in place of " + std::to_string(expected));
    return count == expected;
}

// ---- The command line -----------------------------------------------------------------------------------------------

std::uint64_t program::whole_number(const std::string &name, const std::string &text, std::uint64_t minimum,
                                    std::uint64_t maximum) const {
    char *end = nullptr;
    errno = 0;
    unsigned long long value = std::strtoull(text.c_str(), &end, 10);
    if (!std::isdigit(static_cast<unsigned char>(text[0])) || *end != '\0' || errno != 0 || value < minimum ||
        value > maximum)
        refuse("--" + name + " cannot be " + quoted(text.substr(0, 40)) + ": it is a whole number from " +
               std::to_string(minimum) + " to " + std::to_string(maximum));
    return value;
}

double program::positive_number(const std::string &name, const std::string &text) const {
    char *end = nullptr;
    double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value) || value <= 0.0)
        refuse("--" + name + " cannot be " + quoted(text.substr(0, 40)) + ": it is a number over 0, such as 0.02");
    return value;
}

std::uint64_t program::choice(const parameter &of, const std::string &text) const {
    auto found = std::find(of.choices.begin(), of.choices.end(), text);
    if (found == of.choices.end())
        refuse("--" + of.name + " cannot be " + quoted(text.substr(0, 40)) + ": it is " + joined(of.choices, "|"));
    return static_cast<std::uint64_t>(found - of.choices.begin());
}

void program::refuse_unknown(const std::string &name) const {
    std::string known;
    for (const auto *each : {&parameters_, &options_})
        for (const parameter &one : *each)
            known += "--" + one.name + ", ";
    refuse("there is no option --" + name.substr(0, 40) + ": the options are " + known +
           "--workers, --scale, --seed, --json, --help");
}

void program::set(const std::string &name, const std::string &value) {
    for (const auto *each : {&parameters_, &options_})
        for (const parameter &one : *each)
            if (one.name == name) {
                one.value = one.choices.empty() ? whole_number(name, value, one.least, one.most) : choice(one, value);
                return;
            }
    if (name == "workers")
        workers_ = whole_number(name, value, 0, largest_workers);
    else if (name == "scale")
        scale_ = positive_number(name, value);
    else if (name == "seed")
        seed_ = whole_number(name, value, 0, UINT64_MAX);
    else
        refuse_unknown(name);
}

void program::read(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        std::string name = argv[i];
        if (name.rfind("--", 0) != 0)
            refuse(quoted(name.substr(0, 40)) + " is no option: see --help");
        name.erase(0, 2);
        if (name == "json") {
            json_ = true;
        } else if (name == "falsify") {
            falsified_ = 1;
        } else if (name == "help") {
            print_help();
            std::exit(0);
        } else if (i + 1 == argc) {
            refuse("--" + name.substr(0, 40) + " needs a value: see --help");
        } else {
            set(name, argv[++i]);
        }
    }
    if (workers_ == 0)
        workers_ = cpus_at_hand();
}

void program::print_help() const {
    auto print = [](const std::string &usage, const std::string &help, const std::string &initial) {
        std::string text = initial.empty() ? help : help + " (" + initial + ')';
        std::printf("  --%-32s %s\n", usage.c_str(), text.c_str());
    };
    auto print_all = [&](const std::vector<parameter> &parameters) {
        for (const parameter &one : parameters)
            print(one.name + ' ' + (one.choices.empty() ? "N" : joined(one.choices, "|")), one.help, shown(one));
    };
    std::printf("%s: %s\n\nIts parameters\n", name_.c_str(), summary_.c_str());
    print_all(parameters_);
    std::printf("\nOptions of every program\n");
    print("workers N", "CAF's scheduler threads; 0: as many as CPUs may be used", "0");
    print("scale F", "multiplies the amount of work", "1");
    print("seed N", "of its random numbers", "1");
    print("json", "print the record, one line of JSON", "");
    print("help", "print this", "");
    std::printf("\nOptions of CAF\n");
    print_all(options_);
}

// ---- The record -----------------------------------------------------------------------------------------------------

std::vector<std::string> program::notes() const {
    std::vector<std::string> notes = {"workers are CAF's scheduler threads (scheduler.max-threads)"};
    if (workers_ > cpus_at_hand())
        notes.emplace_back("oversubscribed: more workers than CPUs at hand");
    return notes;
}

void program::print_json(std::uint64_t operations) const {
    std::vector<std::string> options = json_members(options_), parameters = json_members(parameters_);
    options.push_back("\"runtime\":" + quoted(runtime));
    parameters.push_back("\"scale\":" + formatted(scale_));
    parameters.push_back("\"seed\":" + std::to_string(seed_));
    std::vector<std::string> notes_quoted;
    for (const std::string &note : notes())
        notes_quoted.push_back(quoted(note));
    std::vector<std::string> members = {
        "\"schema\":1",
        "\"system\":" + quoted(system_name),
        "\"version\":" + quoted(version),
        "\"design\":\"native\"",
        "\"build\":\"release\"",
        "\"options\":{" + joined(options, ",") + '}',
        "\"workload\":" + quoted(name_),
        "\"parameters\":{" + joined(parameters, ",") + '}',
        "\"workers\":" + std::to_string(workers_),
        "\"elapsed_ns\":" + std::to_string(std::max<std::uint64_t>(1, stopped_ns_ - started_ns_)),
        "\"cpu_ns\":" + std::to_string(cpu_stopped_ns_ - cpu_started_ns_),
        "\"operations\":" + std::to_string(operations),
        "\"unit\":" + quoted(unit_),
        "\"peak_rss_bytes\":" + std::to_string(peak_rss_bytes()),
        std::string("\"verified\":") + (verified_ ? "true" : "false"),
        "\"notes\":[" + joined(notes_quoted, ",") + ']',
    };
    std::vector<std::string> measured;
    for (const auto &[name, value] : measured_)
        measured.push_back(quoted(name) + ':' + formatted(value));
    if (!measured.empty())
        members.push_back("\"measured\":{" + joined(measured, ",") + '}');
    std::printf("{%s}\n", joined(members, ",").c_str());
}

void program::print_text(std::uint64_t operations) const {
    auto print = [](const char *name, const std::string &value) { std::printf("  %-16s %s\n", name, value.c_str()); };
    auto seconds = [](std::uint64_t ns) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3f s", static_cast<double>(ns) / 1e9);
        return std::string(text);
    };
    auto elapsed = stopped_ns_ - started_ns_;
    char each[32], memory[32];
    std::snprintf(each, sizeof each, "%.2f ns", static_cast<double>(elapsed) / static_cast<double>(operations));
    std::snprintf(memory, sizeof memory, "%.1f MiB", static_cast<double>(peak_rss_bytes()) / (1024.0 * 1024.0));
    std::printf("%s, CAF %s, %zu worker%s\n", name_.c_str(), version.c_str(), workers_, workers_ == 1 ? "" : "s");
    print("work", std::to_string(operations) + ' ' + unit_ + 's');
    print("time", seconds(elapsed) + " (" + each + " a " + unit_ + ')');
    print("CPU time", seconds(cpu_stopped_ns_ - cpu_started_ns_));
    print("peak memory", memory);
    for (const auto &[name, value] : measured_)
        print(name.c_str(), formatted(value));
    print("result", verified_ ? "verified" : "WRONG");
    for (const std::string &note : notes())
        print("note", note);
}
