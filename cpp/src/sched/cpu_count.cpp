#include "bascule/sched/cpu_count.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "bascule/core/system.hpp"

namespace bascule::sched {
namespace {

constexpr int most_threads = 4096;

int positive_number(char const* text) {
    if (text == nullptr) return 0;
    char* end = nullptr;
    long const n = std::strtol(text, &end, 10);
    bool const whole = end != text && (*end == '\0' || *end == ',' || *end == ' ');
    return whole && n > 0 ? static_cast<int>(std::min<long>(n, most_threads)) : 0;
}

// The number of processors for a quota of `quota` in every `period`; infinity where there is none ("max", -1, no file).
double quota_cpus(std::string const& quota, double period) {
    char* end = nullptr;
    double const q = std::strtod(quota.c_str(), &end);
    return end != quota.c_str() && q > 0 && period > 0 ? q / period : HUGE_VAL;
}

double quota_v2(std::string const& folder) {
    std::ifstream file(folder + "/cpu.max");
    std::string quota;
    double period = 100000;
    file >> quota >> period;
    return quota_cpus(quota, period);
}

double quota_v1(std::string const& folder) {
    std::ifstream quota_file(folder + "/cpu.cfs_quota_us"), period_file(folder + "/cpu.cfs_period_us");
    std::string quota;
    double period = 0;
    quota_file >> quota;
    period_file >> period;
    return quota_cpus(quota, period);
}

// A group is held by the quotas of all groups above it, so the tightest of them counts. In a container the named path
// may be outside the mounted tree; the walk then still ends at the root, which is the container's own group.
template <class Quota> double tightest(std::string const& root, std::string path, Quota quota) {
    double best = quota(root);
    while (path.size() > 1) {
        best = std::min(best, quota(root + path));
        path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
    return best;
}

bool names_cpu(std::string const& controllers) {
    std::istringstream list(controllers);
    for (std::string name; std::getline(list, name, ',');)
        if (name == "cpu") return true;
    return false;
}

double cgroup_cpus(cpu_sources const& from) {
    std::ifstream file(from.cgroup_file);
    double best = HUGE_VAL;
    for (std::string line; std::getline(file, line);) {
        auto const first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        std::string const controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
        if (controllers.empty()) best = std::min(best, tightest(from.cgroup_root, path, quota_v2));
        if (!names_cpu(controllers)) continue;
        for (char const* mount : {"/cpu", "/cpu,cpuacct", "/cpuacct,cpu"})
            best = std::min(best, tightest(from.cgroup_root + mount, path, quota_v1));
    }
    return best;
}

}  // namespace

cpu_sources process_cpu_sources() {
    cpu_sources from;
    from.bascule_threads = std::getenv("BASCULE_NUM_THREADS");
    from.omp_threads = std::getenv("OMP_NUM_THREADS");
    from.affinity = system::processors();
    return from;
}

int usable_cpus(cpu_sources const& from) {
    double const quota = std::ceil(cgroup_cpus(from));
    double const cpus = std::min<double>(from.affinity > 0 ? from.affinity : 1, quota);
    return static_cast<int>(std::clamp<double>(cpus, 1, most_threads));
}

int default_thread_count(cpu_sources const& from) {
    if (int const n = positive_number(from.bascule_threads)) return n;
    if (int const n = positive_number(from.omp_threads)) return n;
    return usable_cpus(from);
}

}  // namespace bascule::sched
