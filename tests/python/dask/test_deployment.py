"""The recipes of docs/deployment: the program runs here, the files for other systems are rendered or read."""

import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

pytest.importorskip("distributed", reason="distributed is not installed")
FOLDER = Path(__file__).resolve().parents[3] / "docs/deployment"


def run(*arguments):
    environment = {**os.environ, "BASCULE_FALLBACK": "silent", "DASK_CONFIG": str(FOLDER)}
    return subprocess.run([sys.executable, str(FOLDER / "program.py"), *arguments], capture_output=True, text=True, env=environment)  # fmt: skip


def test_the_program_runs_on_this_machine():
    done = run("--scale", "1e-5", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"mean": 11.0, "rows": 120}


DIRECTIVES = {
    "slurm": ("#SBATCH -p normal", "#SBATCH --cpus-per-task=8", "#SBATCH --mem=30G", "#SBATCH -t 01:00:00"),
    "pbs": ("#PBS -q normal", "#PBS -l select=1:ncpus=8:mem=30GB", "#PBS -l walltime=01:00:00"),
    "lsf": ("#BSUB -q normal", "#BSUB -n 8", '#BSUB -R "span[hosts=1]"', "#BSUB -W 01:00"),
    "sge": ("#$ -q normal", "#$ -l mem_free=32G", "#$ -l h_rt=01:00:00", "#$ -pe smp 8"),
}


@pytest.mark.parametrize("queue", DIRECTIVES)
def test_scripts_of_queues_are_rendered(queue):
    if importlib.util.find_spec("dask_jobqueue") is None:  # an import would change what Ctrl-C does to this process
        pytest.skip("dask-jobqueue is not installed")
    done = run("--on", queue, "--dry-run")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert set(DIRECTIVES[queue]) <= set(lines) and "export BASCULE_NUM_THREADS=8" in lines
    (worker,) = [line for line in lines if "dask_worker" in line or "dask worker" in line]
    assert worker.endswith("--nthreads 1") and "--memory-limit 29.80GiB" in worker and "--death-timeout 300" in worker


def test_the_cluster_of_kubernetes_is_what_the_operator_takes():
    done = run("--on", "kubernetes", "--dry-run")
    assert done.returncode == 0, done.stderr
    made = yaml.safe_load(done.stdout)
    assert (made["apiVersion"], made["kind"]) == ("kubernetes.dask.org/v1", "DaskCluster")
    assert set(made["spec"]) == {"worker", "scheduler"} and set(made["spec"]["scheduler"]) == {"spec", "service"}
    (worker,) = made["spec"]["worker"]["spec"]["containers"]
    (scheduler,) = made["spec"]["scheduler"]["spec"]["containers"]
    assert worker["args"][:4] == ["dask", "worker", "--name", "$(DASK_WORKER_NAME)"]
    assert scheduler["args"][:2] == ["dask", "scheduler"]
    assert worker["image"] == scheduler["image"] and all(type(e["value"]) is str for e in worker["env"])
    mounts, volumes = worker["volumeMounts"], made["spec"]["worker"]["spec"]["volumes"]
    assert [m["name"] for m in mounts] == [v["name"] for v in volumes]
    assert worker["args"][-1] == mounts[0]["mountPath"]
    service = made["spec"]["scheduler"]["service"]
    assert service["selector"]["dask.org/cluster-name"] == made["metadata"]["name"]
    assert {p["targetPort"] for p in service["ports"]} == {p["name"] for p in scheduler["ports"]}
    assert {p["port"] for p in service["ports"]} == {p["containerPort"] for p in scheduler["ports"]}


def test_the_application_of_yarn_has_a_scheduler_and_workers():
    made = yaml.safe_load(run("--on", "yarn", "--dry-run").stdout)
    scheduler, worker = (made["services"][f"dask.{k}"] for k in ("scheduler", "worker"))
    assert worker["depends"] == ["dask.scheduler"] and worker["instances"] > 0
    for service, kind in ((scheduler, "scheduler"), (worker, "worker")):
        assert set(service["resources"]) == {"memory", "vcores"}
        assert service["script"].splitlines()[0] == "source environment/bin/activate"
        assert f"dask {kind} " in service["script"]
        assert "environment" in service["files"]


def test_hosts_are_read():
    made = json.loads(run("--on", "ssh", "--dry-run").stdout)
    assert made["scheduler"] == "head.example.org" and made["workers"] == ["node1.example.org", "node2.example.org"]
    assert made["nthreads"] == 1


class Machine:
    """Runs what the files start, in a folder of its own, and ends it."""

    def __init__(self, folder):
        self.folder, self.running = folder, []
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "STORE": str(folder),
        }

    def start(self, *command, name="", **environment):
        where = self.folder / (name or f"process{len(self.running)}")
        where.mkdir()
        (where / "environment/bin").mkdir(parents=True)
        (where / "environment/bin/activate").write_text("")
        with open(where / "log", "w") as log:
            options = {"stdout": log, "stderr": subprocess.STDOUT, "start_new_session": True}
            self.running.append(
                subprocess.Popen(command, cwd=where, env={**self.environment, **environment}, **options)
            )
        return where

    def program(self, name, text):
        """Put a program on the path."""
        path = self.folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        self.environment["PATH"] = f"{path.parent}{os.pathsep}{self.environment['PATH']}"

    def end(self):
        for process in self.running:
            os.killpg(process.pid, signal.SIGTERM)
        for process in self.running:
            process.wait(30)


@pytest.fixture
def machine(tmp_path):
    made = Machine(tmp_path)
    yield made
    made.end()


def computes(address, workers, nthreads=1):
    """A client finds the workers, each with its threads, and bascule's chunks are computed there."""
    import bascule.dask  # noqa: F401 - registers the backends
    import dask
    import dask.array as da
    import distributed

    with distributed.Client(address, timeout=60) as client, dask.config.set({"array.backend": "bascule"}):
        client.wait_for_workers(workers, timeout=60)
        found = client.scheduler_info(n_workers=-1)["workers"].values()
        assert len(found) == workers and {w["nthreads"] for w in found} == {nthreads}
        assert float(da.ones((64, 64), chunks=16).sum().compute()) == 4096.0
        return list(found)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def filled(arguments, **values):
    """Arguments of a container, with the variables that Kubernetes fills in."""
    return [re.sub(r"\$\((\w+)\)", lambda m: values[m[1]], a) for a in arguments]


def test_what_kubernetes_starts_is_a_cluster(machine):
    made = yaml.safe_load((FOLDER / "kubernetes.yaml").read_text())
    scheduler, worker = (made["spec"][k]["spec"]["containers"][0] for k in ("scheduler", "worker"))
    port = free_port()
    machine.start(*scheduler["args"], "--port", str(port), "--dashboard-address", ":0")
    address = f"tcp://127.0.0.1:{port}"
    given = {e["name"]: e["value"] for e in worker["env"]}
    for name in ("one", "two"):
        arguments = filled(worker["args"], DASK_WORKER_NAME=name)
        arguments[arguments.index("--local-directory") + 1] = "spill"  # a volume of the pod
        machine.start(*arguments, DASK_SCHEDULER_ADDRESS=address, **given)
    found = computes(address, 2)
    assert {w["name"] for w in found} == {"one", "two"} and {w["memory_limit"] for w in found} <= {
        14 * 2**30,
        total_memory(),
    }


def total_memory():
    """The limit of memory that a worker takes where the machine has less than it is given."""
    from distributed.system import MEMORY_LIMIT

    return MEMORY_LIMIT


SKEIN = """#!/usr/bin/env bash
# The two uses of Skein's store of values: kv put --key K --value V current, kv get --key K --wait current.
if test "$2" = put; then printf '%s' "$6" > "$STORE/$4.part"; mv "$STORE/$4.part" "$STORE/$4"
else until test -s "$STORE/$4"; do sleep 0.1; done; cat "$STORE/$4"; fi
"""


def test_what_yarn_starts_is_a_cluster(machine):
    made = yaml.safe_load((FOLDER / "yarn.yaml").read_text())["services"]
    machine.program("skein", SKEIN)
    for name, service in (("s", "dask.scheduler"), ("w1", "dask.worker"), ("w2", "dask.worker")):
        machine.start("bash", "-euc", made[service]["script"], name=name, **made[service].get("env", {}))
    stored = machine.folder / "dask.scheduler"
    for _ in range(600):
        if stored.exists():
            break
        time.sleep(0.1)
    computes(stored.read_text(), 2)


def test_the_worker_of_a_job_joins_a_cluster(machine):
    """The command line of a job script, which dask-jobqueue writes for another scheduler's address."""
    if importlib.util.find_spec("dask_jobqueue") is None:
        pytest.skip("dask-jobqueue is not installed")
    script = run("--on", "slurm", "--dry-run").stdout
    (line,) = [line for line in script.splitlines() if "dask_worker" in line or "dask worker" in line]
    port = free_port()
    machine.start("dask", "scheduler", "--port", str(port), "--dashboard-address", ":0")
    address = f"tcp://127.0.0.1:{port}"
    command = re.sub(r"tcp://\S+", address, line)
    exports = " ".join(x for x in script.splitlines() if x.startswith("export ")).replace("export", "")
    machine.start("bash", "-euc", f"{exports} exec {command}", TMPDIR=str(machine.folder))
    computes(address, 1)


def test_the_page_names_every_file():
    page = (FOLDER.parent / "deployment.md").read_text()
    assert all(f"deployment/{p.name}" in page for p in FOLDER.iterdir() if p.is_file())
