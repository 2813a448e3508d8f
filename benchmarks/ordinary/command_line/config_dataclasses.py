"""Settings as dataclasses from JSON text, a small simulation for each, and results as a frame.

Idea: the configuration of experiments by dataclasses
"""

import json
import sys
from dataclasses import asdict, dataclass, field, replace

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

TEXT = """
[{"name": "calm", "start": 100, "growth": 0.05},
 {"name": "lively", "start": 80, "growth": 0.2, "noise": 0.1, "tags": ["fast", "risky"]},
 {"name": "harvest", "start": 300, "growth": 0.12, "capacity": 600, "tags": ["managed"]}]
"""


@dataclass(frozen=True)
class Settings:
    name: str
    start: float
    growth: float
    capacity: float = 1000.0
    noise: float = 0.02
    tags: list[str] = field(default_factory=list)

    def __post_init__(self):
        if self.start > self.capacity:
            raise ValueError(f"{self.name}: starts above its capacity")


@dataclass
class Result:
    name: str
    final: float
    peak: float
    half_at: int


def simulate(s: Settings, steps: int, rng) -> tuple[Result, np.ndarray]:
    x = np.empty(steps)
    x[0] = s.start
    for t in range(1, steps):
        x[t] = x[t - 1] * (1 + s.growth * (1 - x[t - 1] / s.capacity) + s.noise * rng.normal())
    above = np.flatnonzero(x > s.capacity / 2)
    return Result(s.name, x[-1], x.max(), int(above[0]) if above.size else -1), x


settings = [Settings(**entry) for entry in json.loads(TEXT)]
print(settings[1])
try:
    replace(settings[0], start=5000.0)
except ValueError as error:
    print("refused:", error)
steps, repeats = (120, 8) if SIZE == "small" else (300, 110)
rng = np.random.default_rng(7)
results, courses = [], {}
for s in settings:
    for k in range(repeats):
        result, course = simulate(s, steps, rng)
        results.append({**asdict(result), "run": k})
        courses[s.name, k] = course
df = pd.DataFrame(results)
print(df.head(4).round(3))
print(df.groupby("name", sort=False)[["final", "peak", "half_at"]].mean().round(3))
courses = pd.DataFrame(courses)
courses.columns.names = ["name", "run"]
mean = courses.T.groupby(level="name").mean().T
print(mean.iloc[:: steps // 4].round(3))
table = pd.DataFrame([asdict(s) for s in settings]).set_index("name")
print(table)
print(table.explode("tags")["tags"].dropna().to_dict())
best = df.loc[df.groupby("name")["final"].idxmax(), ["name", "run", "final"]].round(3)
print(json.dumps(best.to_dict(orient="records")))
