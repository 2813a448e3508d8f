"""The recipes of docs/deployment: the program runs here, the files for other systems are rendered or read."""

import importlib.util
import json
import os
import subprocess
import sys
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
    assert (
        worker["args"][:3] == ["dask-worker", "--name", "$(DASK_WORKER_NAME)"]
        and scheduler["args"][0] == "dask-scheduler"
    )
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
        assert service["script"].splitlines() == ["source environment/bin/activate", f"dask-yarn services {kind}"]
        assert "environment" in service["files"]


def test_hosts_are_read():
    made = json.loads(run("--on", "ssh", "--dry-run").stdout)
    assert made["scheduler"] == "head.example.org" and made["workers"] == ["node1.example.org", "node2.example.org"]
    assert made["nthreads"] == 8


def test_the_page_names_every_file():
    page = (FOLDER.parent / "deployment.md").read_text()
    assert all(f"deployment/{p.name}" in page for p in FOLDER.iterdir() if p.is_file())
