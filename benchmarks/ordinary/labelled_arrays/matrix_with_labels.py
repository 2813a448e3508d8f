"""Trade between regions as a labelled matrix: shares, multipliers, and what-if, with alignment by name."""

import sys

import numpy as np
import pandas as pd
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
sectors, years = (8, 4) if SIZE == "small" else (60, 60)

rng = np.random.default_rng(36)
names = [f"S{k:02d}" for k in range(sectors)]
table = xr.DataArray(
    rng.gamma(0.6, 10, (years, sectors, sectors)),
    coords={"year": np.arange(1990, 1990 + years), "seller": names, "buyer": names},
    dims=("year", "seller", "buyer"),
)
demand = xr.DataArray(rng.uniform(50, 150, (years, sectors)) * sectors / 8, coords=[table["year"], table["seller"]])
output = table.sum("buyer") + demand
share = table / output.rename(seller="buyer")
print("largest share:", round(float(share.max()), 4), "of", dict(share.sizes))

rows = []
for year in table["year"].values:
    A = share.sel(year=year).transpose("seller", "buyer")
    inverse = np.linalg.inv(np.eye(sectors) - A.values)
    leontief = xr.DataArray(inverse, coords=A.coords, dims=A.dims)
    back = leontief.dot(demand.sel(year=year).rename(seller="buyer"), dim="buyer")
    assert np.allclose(back, output.sel(year=year))
    multiplier = leontief.sum("seller")
    changed = demand.sel(year=year).copy()
    changed.loc["S03"] = changed.loc["S03"] * 1.1
    effect = leontief.dot(changed.rename(seller="buyer"), dim="buyer") - output.sel(year=year)
    rows.append(
        {
            "year": int(year),
            "highest": str(multiplier.idxmax().values),
            "multiplier": float(multiplier.max()),
            "effect": float(effect.sum()),
            "own": float(effect.sel(seller="S03")),
        }
    )
df = pd.DataFrame(rows).set_index("year")
print(df.head(6).round(4))
print(df["highest"].value_counts().sort_index().head(4))
total = table.sum("seller").rename(buyer="sector") + table.sum("buyer").rename(seller="sector")
print("trade:", total.mean("year").to_series().nlargest(4).round(2).to_dict())
part = demand.isel(seller=slice(2, 6)) + demand.isel(seller=slice(4, 8))
print("aligned by name:", part["seller"].values, part.isel(year=0).values.round(2))
outer = xr.concat(
    [demand.isel(year=0, seller=slice(0, 3)), demand.isel(year=1, seller=slice(2, 5))], "year", join="outer"
)
print(outer.to_pandas().round(2))
print("growth:", demand.diff("year").mean("seller").values[:3].round(3), "first above 140:", int((demand > 140).sum()))
