// How many threads this process should use, from the environment, the affinity mask and the cgroup quota.
#pragma once
#include <string>

namespace bascule::sched {

// Where the numbers come from; the defaults are the running process's own. Tests point them at files of their own.
struct cpu_sources {
    char const* bascule_threads = nullptr;  // text of BASCULE_NUM_THREADS, null where unset
    char const* omp_threads = nullptr;      // text of OMP_NUM_THREADS; of a list the first entry counts
    int affinity = 0;                       // processors in the affinity mask; 0: unknown
    std::string cgroup_file = "/proc/self/cgroup";
    std::string cgroup_root = "/sys/fs/cgroup";
};
cpu_sources process_cpu_sources();

// Processors that the affinity mask and the tightest cgroup (v1 or v2) quota up to the root allow; at least 1.
int usable_cpus(cpu_sources const& from);

// The first of both variables that holds a positive number, else usable_cpus.
int default_thread_count(cpu_sources const& from);

}  // namespace bascule::sched
