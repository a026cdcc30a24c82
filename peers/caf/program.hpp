// What every program shares: options, the clock, the verdict, the record. See ../README.md for what they mean.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

// A parameter of a workload, or an option of the system, such as --actors N or --source self|main.
struct parameter {
    std::string name;                      // without the dashes
    std::uint64_t &value;                  // holds the default; of a choice its number
    std::string help;                      // one line
    std::vector<std::string> choices = {}; // none: a whole number; otherwise the first is the default
    std::uint64_t least = 1, most = 1000000000000;
};

class program {
  public:
    program(std::string name, std::string summary, std::string unit, std::vector<parameter> parameters);

    // Reads the command line, does the work, which returns its number of operations, and prints the record. Returns the
    // exit status: 0 verified, 1 a wrong result, 2 bad usage.
    int main(int argc, char **argv, const std::function<std::uint64_t()> &work);

    // Ends the program with status 2 and one line; for parameters that do not fit together. Not while there are actors.
    [[noreturn]] void refuse(const std::string &why) const;

    // --scale; and `amount` of work times --scale, rounded, at least 1.
    double scale() const {
        return scale_;
    }
    std::uint64_t scaled(std::uint64_t amount) const;

    std::uint64_t seed() const {
        return seed_;
    }
    std::size_t workers() const {
        return workers_;
    }
    bool sharing() const {
        return policy_ == 1;
    }
    bool typed() const {
        return typing_ == 0;
    }
    bool spread() const {
        return placing_ == 0;
    }

    // The timed span: each once, from any thread.
    void start_clock();
    void stop_clock();

    // 1 if the program is to expect one more than it should (--falsify), otherwise 0.
    std::uint64_t falsified() const {
        return falsified_;
    }

    // Puts a number beside the times into the record, under a name that its schema has.
    void measure(const std::string &name, double value);

    // Says that the result is wrong, and why.
    void wrong(const std::string &why);

    // Says that the result is wrong unless the two are the same; returns whether they are.
    bool expect(std::uint64_t count, std::uint64_t expected, const std::string &what);

  private:
    void read(int argc, char **argv);
    void set(const std::string &name, const std::string &value);
    [[noreturn]] void refuse_unknown(const std::string &name) const;
    std::uint64_t whole_number(const std::string &name, const std::string &text, std::uint64_t minimum,
                               std::uint64_t maximum) const;
    double positive_number(const std::string &name, const std::string &text) const;
    std::uint64_t choice(const parameter &of, const std::string &text) const;
    std::vector<std::string> notes() const;
    void print_help() const;
    void print_json(std::uint64_t operations) const;
    void print_text(std::uint64_t operations) const;

    std::string name_, summary_, unit_;
    std::uint64_t policy_, typing_ = 0, placing_ = 0; // the numbers of the choices
    std::vector<parameter> parameters_, options_;
    double scale_ = 1.0;
    std::uint64_t seed_ = 1, falsified_ = 0;
    std::size_t workers_ = 0;
    bool json_ = false, verified_ = true;
    std::vector<std::pair<std::string, double>> measured_;
    std::uint64_t started_ns_ = 0, stopped_ns_ = 0;         // monotonic clock
    std::uint64_t cpu_started_ns_ = 0, cpu_stopped_ns_ = 0; // the process' CPU time
};
