"""One program for a laptop, a batch system, Kubernetes, YARN or several hosts: only the cluster differs.

python program.py                              # this machine
python program.py --on slurm --workers 16      # 16 workers in jobs of SLURM; pbs, lsf and sge likewise
python program.py --on slurm --dry-run         # what would be submitted
"""

import argparse
import json

import bascule.dask
import dask
import dask.array as da
import distributed

QUEUES = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "lsf": "LSFCluster", "sge": "SGECluster"}


def compute(scale):
    """The program itself, which does not depend on the cluster."""
    n = max(int(40_000 * scale**0.5) // 8 * 8, 64)
    x = da.random.default_rng(0).normal(10, 1, (n, n), chunks=n // 8)
    mean = float(((x + 1)[::2, ::2]).mean().compute())
    rows = x[:, :4].to_dask_dataframe(columns=list("abcd"))
    groups = rows.assign(k=(rows.a > 10).astype("i8")).groupby("k").b.count().compute()
    return {"mean": round(mean, 1), "rows": int(groups.sum())}


def queue_cluster(name, dry_run):
    """A cluster in jobs of a batch system; cores, memory and time are in jobqueue.yaml."""
    import dask_jobqueue

    cluster = getattr(dask_jobqueue, QUEUES[name])()
    if dry_run:
        print(cluster.job_script())
    return cluster


def kubernetes_cluster(dry_run):
    """A DaskCluster of the operator, from kubernetes.yaml."""
    if dry_run:
        print(read("kubernetes.yaml"))
        return None
    import yaml
    from dask_kubernetes.operator import KubeCluster

    return KubeCluster(custom_cluster_spec=yaml.safe_load(read("kubernetes.yaml")))


def yarn_cluster(dry_run):
    """A YARN application, from yarn.yaml."""
    if dry_run:
        print(read("yarn.yaml"))
        return None
    import skein

    client = skein.Client()
    return YarnApplication(client.submit_and_connect(skein.ApplicationSpec.from_file(here("yarn.yaml"))))


class YarnApplication:
    """A running application of yarn.yaml: a client connects to its address."""

    def __init__(self, application):
        self.application = application
        self.address = application.kv.wait("dask.scheduler").decode()

    def scale(self, workers):
        """Ask for a number of workers."""
        self.application.scale("dask.worker", workers)

    def close(self):
        """End the application."""
        self.application.shutdown()


def ssh_cluster(dry_run):
    """A cluster on the hosts of hosts.txt: the scheduler on the first, a worker on each of the others."""
    hosts = read("hosts.txt").split()
    options = {"nthreads": 1, "memory_limit": "auto", "local_directory": "/scratch/dask"}
    if dry_run:
        print(json.dumps({"scheduler": hosts[0], "workers": hosts[1:], **options}))
        return None
    return distributed.SSHCluster(hosts, worker_options=options, connect_options={"known_hosts": None})


def here(name):
    """Path of a file next to this one."""
    import pathlib

    return str(pathlib.Path(__file__).with_name(name))


def read(name):
    """Text of a file next to this one."""
    with open(here(name)) as file:
        return file.read()


def start(on, dry_run):
    """The requested cluster; None if there is nothing to connect to."""
    if on == "laptop":
        return None if dry_run else bascule.dask.LocalDeviceCluster()
    if on in QUEUES:
        return queue_cluster(on, dry_run)
    return {"kubernetes": kubernetes_cluster, "yarn": yarn_cluster, "ssh": ssh_cluster}[on](dry_run)


def main():
    """Start a cluster, compute, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", choices=["laptop", *QUEUES, "kubernetes", "yarn", "ssh"], default="laptop")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--dry-run", action="store_true")
    given = parser.parse_args()
    cluster = start(given.on, given.dry_run)
    if not given.dry_run:
        dask.config.set({"array.backend": "bascule", "dataframe.backend": "bascule"})
        with distributed.Client(getattr(cluster, "address", cluster)) as client:
            if given.workers:
                cluster.scale(given.workers)
                client.wait_for_workers(given.workers)
            print(json.dumps(compute(given.scale)))
    if cluster is not None:
        cluster.close()


if __name__ == "__main__":
    main()
