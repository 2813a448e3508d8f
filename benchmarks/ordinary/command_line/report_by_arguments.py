"""A command with options: reads a CSV text, filters, groups by a column and prints a table."""

import argparse
import io

import numpy as np
import pandas as pd


def made_up(n):
    rng = np.random.default_rng(7)
    lines = ["order;customer;country;amount;shipped"]
    for k in range(n):
        country = ["DE", "FR", "IT", "PL"][rng.integers(4)]
        shipped = "yes" if rng.random() < 0.8 else "no"
        lines.append(f"{k + 1};C{rng.integers(200):03d};{country};{rng.gamma(2, 40):.2f};{shipped}")
    return "\n".join(lines)


def parse_arguments():
    parser = argparse.ArgumentParser(description="sums of orders")
    parser.add_argument("size", nargs="?", choices=["small", "middle"], default="middle")
    parser.add_argument("--by", default="country")
    parser.add_argument("--least", type=float, default=10.0)
    parser.add_argument("--top", type=int, default=5)
    parser.add_argument("--all", action="store_true", help="also what is not shipped")
    return parser.parse_args()


def main():
    args = parse_arguments()
    n = 1_500 if args.size == "small" else 60_000
    df = pd.read_csv(io.StringIO(made_up(n)), sep=";", true_values=["yes"], false_values=["no"])
    print(df.dtypes.to_string())
    if not args.all:
        df = df[df["shipped"]]
    df = df[df["amount"] >= args.least]
    print(f"{len(df)} orders of {df['customer'].nunique()} customers")
    table = df.groupby(args.by)["amount"].agg(["count", "sum", "mean"])
    table["share"] = 100 * table["sum"] / table["sum"].sum()
    print(table.sort_values("sum", ascending=False).round(2).to_string())
    best = df.groupby("customer")["amount"].sum().nlargest(args.top)
    for place, (customer, amount) in enumerate(best.items(), start=1):
        print(f"{place}. {customer} {amount:10.2f}")
    print(df.tail(3).to_csv(index=False).strip())
    wide = df.pivot_table(index=df["order"] % 4, columns="country", values="amount", aggfunc="max")
    print(wide)


if __name__ == "__main__":
    main()
