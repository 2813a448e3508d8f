"""Ordinary least squares by hand with the table that statistics packages print.

Idea: the question how to get p-values of a linear regression without a package
"""

import sys

import numpy as np
import pandas as pd
from scipy import stats

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 2_000 if SIZE == "small" else 160_000

rng = np.random.default_rng(11)
df = pd.DataFrame(
    {"income": rng.lognormal(10, 0.4, n), "age": rng.integers(20, 70, n), "town": rng.choice(["N", "S", "W"], n)}
)
df["spent"] = 200 + 0.02 * df["income"] + 3 * df["age"] + np.where(df["town"] == "S", 55, 0) + rng.normal(0, 120, n)

X = pd.get_dummies(df[["income", "age", "town"]], columns=["town"], drop_first=True).astype(float)
X.insert(0, "const", 1.0)
y = df["spent"]
XtX = X.T @ X
beta = pd.Series(np.linalg.solve(XtX, X.T @ y), index=X.columns)
fitted = X @ beta
rest = y - fitted
dof = n - X.shape[1]
sigma2 = (rest**2).sum() / dof
se = pd.Series(np.sqrt(np.diag(sigma2 * np.linalg.inv(XtX))), index=X.columns)
t = beta / se
table = pd.DataFrame({"coef": beta, "std err": se, "t": t, "P>|t|": 2 * stats.t.sf(np.abs(t), dof)})
q = stats.t.ppf(0.975, dof)
table["[0.025"] = beta - q * se
table["0.975]"] = beta + q * se
print(table.round(4).to_string())
r2 = 1 - (rest**2).sum() / ((y - y.mean()) ** 2).sum()
f = (r2 / (X.shape[1] - 1)) / ((1 - r2) / dof)
print(f"R2 {r2:.5f}, F {f:.2f}, sigma {np.sqrt(sigma2):.3f}, n {n}")
weight = 1 / (1 + (rest / 100) ** 2)
robust = np.linalg.lstsq(X.mul(np.sqrt(weight), axis=0).to_numpy(), y.to_numpy() * np.sqrt(weight), rcond=None)[0]
print("robust:", dict(zip(X.columns, np.round(robust, 3).tolist(), strict=True)))

quartile = pd.qcut(df["income"], 4, labels=["lowest", "low", "high", "highest"])
print(rest.groupby(quartile, observed=True).agg(["mean", "std", "count"]).round(3).abs())
worst = rest.abs().nlargest(3).index
print(df.loc[worst].assign(fitted=fitted[worst]).round(2))
print("correlation of rest and age:", abs(round(rest.corr(df["age"]), 6)))
