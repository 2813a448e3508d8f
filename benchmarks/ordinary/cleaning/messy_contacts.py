"""Cleans a list of contacts: blanks, capitals, phone numbers in many forms, duplicates by e-mail address.
Idea: a kata about normalising phone numbers."""

import re
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 300 if SIZE == "small" else 20_000

rng = np.random.default_rng(7)
first = ["anna", "Bob", " carla", "DAVE ", "eve", "frank", "Grace"]
last = ["Miller", "o'neil", "SMITH", "van dyke", " jones"]
forms = ["({}) {}-{}", "{}.{}.{}", "{} {} {}", "+1 {}-{}-{}", "{}{}{}"]

rows = []
for i in range(n):
    area, mid, end = rng.integers(200, 999), rng.integers(100, 999), rng.integers(1000, 9999)
    f, l = first[rng.integers(0, len(first))], last[rng.integers(0, len(last))]
    mail = f"{f.strip()}.{l.strip().replace(' ', '')}{rng.integers(0, n // 4)}@Example.COM"
    phone = forms[rng.integers(0, len(forms))].format(area, mid, end) if rng.random() > 0.08 else None
    rows.append({"first": f, "last": l, "mail": mail, "phone": phone})
df = pd.DataFrame(rows)
print(df.head(3))

df["first"] = df["first"].str.strip().str.title()
df["last"] = df["last"].str.strip().str.title()
df["mail"] = df["mail"].str.lower()


def clean_phone(text):
    if pd.isna(text):
        return None
    digits = re.sub(r"\D", "", text)
    if len(digits) == 11 and digits.startswith("1"):
        digits = digits[1:]
    return f"{digits[:3]}-{digits[3:6]}-{digits[6:]}"


df["phone"] = df["phone"].apply(clean_phone)
print("without phone:", df["phone"].isna().sum())

df["has_phone"] = df["phone"].notna()
df = df.sort_values(["mail", "has_phone"], ascending=[True, False], kind="stable")
unique = df.drop_duplicates("mail").reset_index(drop=True)
print("rows:", len(df), "unique:", len(unique))
print(unique.drop(columns="has_phone").head(8).to_string())
print(unique["last"].value_counts().sort_index())
area = unique["phone"].dropna().str[:3].astype(int)
print("area codes:", area.min(), area.max(), round(area.mean(), 2))
