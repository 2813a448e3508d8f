"""Usual calls with the arguments that programs give them: results, what they print, and errors are pandas'."""

import bascule as bc
import bascule.pandas
import numpy as np
import pandas
import pytest

N = 40
CALLS = """
# replaced
df.replace([0,1],99)
df.replace([0,1],[1,0])
df.replace(['a','b'],'z')
df.replace(['a',0],['z',5])
df.replace({'k':{'a':'A'},'g':{0:9}})
df.replace({'k':'a','g':0},'Q')
df.replace({'k':'a','g':0},7)
df.replace({'zz':{'a':1}})
df.replace({'k':{'a':'b','b':'a'}})
df.g.replace([0,1,2],5)
df.g.replace([0,1],[1.5,2])
df.f.replace([np.nan,1.0],[-1,2])
df.f.replace([np.nan],0)
df.k.replace(['a'],[None])
df.k.replace(['a'],None)
df.b.replace([True],False)
df.b.replace([1],0)
df.m.replace([1,2],[10,20])
df.c.replace(['u'],'v')
df.o.replace([1,'a'],'q')
df.x.replace([0.1,0.2],'t')
df.g.replace((0,1),5)
df.replace([],5)
df.g.replace([0,0],[1,2])
df.replace({'g':[0,1]},5)
df.replace({'g':{0:'x'}})
df.d.replace([df.d[0]],df.d[1])
df.replace(np.nan,0)
df.replace([np.nan],[0])
df.g.replace({0:1,1:0})
df.g.replace([0,1],[1])
# sorted
df.sort_values('k',key=lambda s:s.str.upper())
df.sort_values(['k','g'],key=lambda s:s if s.dtype!=int else -s)
df.sort_values('x',key=abs,ascending=False)
df.sort_values('x',key=np.abs)
df.x.sort_values(key=abs)
df.x.sort_values(key=lambda s:s[:3])
df.k.sort_values(key=lambda s:s.map({'a':2,'b':1,'c':3}),ascending=False)
df.sort_values('f',key=lambda s:-s,na_position='first')
df.sort_values('x',key=lambda s:s.to_numpy())
df.sort_values('x',key=lambda s:list(s))
df.sort_index(axis=1)
df.sort_index(axis=1,ascending=False)
df.sort_index(axis='columns')
df[['x','g','x']].sort_index(axis=1)
df.set_axis(range(9,0,-1),axis=1).sort_index(axis=1)
df.sort_index(axis=1,ignore_index=True)
df.sort_index(axis=1,ascending=[False])
# crossed
df.head(3).merge(df.tail(2),how='cross')
df.head(3).merge(df[['k']].tail(2),how='cross',suffixes=('_l','_r'))
df.head(0).merge(df.head(2),how='cross')
df[['k']].head(2).merge(df[['g']].head(2),how='cross',indicator=True)
df.head(2).merge(df.head(2),how='cross',on='k')
df.head(2).set_index('k').merge(df.head(2),how='cross')
# correlated
df[['x','g']].corr(method='spearman')
df[['x','f']].corr(method='spearman')
df.corr(method='spearman',numeric_only=True)
df[['x','b']].corr(method='spearman')
df[['m','x']].corr(method='spearman')
# multiplied
df[['x','g']].dot(np.ones(2))
df[['x','g']].dot(np.ones((2,3)))
df[['x','g']].dot([1,2])
df[['x','g']].dot(np.ones(3))
df[['x','g']].dot(np.arange(2))
df[['g']].dot(np.array([2]))
df[['x']]@np.ones((1,2))
# constructed
pd.DataFrame.from_dict({'a':[1,2],'b':[3,4]},orient='index')
pd.DataFrame.from_dict({'a':[1,2],'b':[3,4]},orient='index',columns=['p','q'])
pd.DataFrame.from_dict({'a':1,'b':2},orient='index')
pd.DataFrame.from_dict({'a':1,'b':2},orient='index',columns=['v'])
pd.DataFrame.from_dict({'a':{'x':1},'b':{'y':2}},orient='index')
pd.DataFrame.from_dict({'a':[1],'b':[3,4]},orient='index')
pd.DataFrame.from_dict({},orient='index')
pd.DataFrame.from_dict({1:('x',2.5),2:('y',3.5)},orient='index')
pd.DataFrame.from_dict({'a':'xy'},orient='index')
pd.DataFrame.from_dict({'a':[1,2]},orient='tight2')
pd.DataFrame.from_records([(1,'a'),(2,'b')],columns=['n','t'])
pd.DataFrame.from_records([(1,'a'),(2,None)])
pd.DataFrame.from_records([{'a':1},{'a':2,'b':3}])
pd.DataFrame.from_records([(1,'a')],index=['r'])
pd.DataFrame.from_records([(1,'a'),(2,)],columns=['n','t'])
pd.DataFrame.from_records([(1,2.5)],columns=['a'])
pd.DataFrame.from_records([(1,True,None)],columns=list('abc'))
pd.DataFrame.from_records([(1,2),(3,4)],columns=['a','b'],index='a')
# combined
pd.concat([df,df[['k','x']].assign(new=1)])
pd.concat([df[['k','x']],df[['x','g']]],join='inner')
pd.concat([df[['x']],df[['g']]],sort=True)
pd.concat([df[['x']],df[['g']],df[['k']]])
pd.concat([df[['x']].rename_axis(columns='q'),df[['g']]])
df.head(4).combine_first(df.head(6)[['x','k']].assign(z=1))
# distinct
pd.unique(df.k)
pd.unique(df.d)
pd.unique(df.c)
df.k.unique()
df.groupby('k').groups
df.groupby(['k','g']).groups
"""


def made(library):
    rng = np.random.default_rng(0)
    return library.DataFrame(
        {
            "k": rng.choice(list("abc"), N),
            "g": rng.integers(0, 5, N),
            "x": rng.normal(size=N).round(1),
            "b": rng.random(N) > 0.5,
            "f": np.where(np.arange(N) % 5 == 0, np.nan, np.arange(N) * 1.0),
            "d": library.date_range("2024", periods=N),
            "c": library.Categorical(rng.choice(list("uvw"), N)),
            "m": library.array([1, 2, None, 4] * 10, dtype="Int64"),
            "o": np.array([1, "a", None, 2.5] * 10, dtype=object),
        }
    )


def outcome(call, library):
    try:
        found = eval(call, {"pd": library, "np": np, "df": made(library)})
    except Exception as e:
        return type(e), str(e)
    return type(found).__name__, repr(found), repr(getattr(found, "dtypes", None))


@pytest.mark.parametrize("call", [c for c in CALLS.strip().splitlines() if not c.startswith("#")])
def test_call(call):
    with bc.config.set(fallback="silent"):
        assert outcome(call, bascule.pandas) == outcome(call, pandas)


NATIVE = [
    "df[['g', 'x', 'k']].replace([0, 1], 99)",
    "df.replace({'k': {'a': 'A'}, 'g': {0: 9}})",
    "df.g.replace([0, 1], [1, 0])",
    "df.sort_values('k', key=lambda s: s.str.upper())",
    "df.x.sort_values(key=abs)",
    "df.sort_index(axis=1)",
    "df.head(3).merge(df.tail(2), how='cross')",
    "df[['x', 'g']].corr(method='spearman')",
    "df[['x', 'g']].dot(np.ones(2))",
    "pd.DataFrame.from_dict({'a': [1, 2], 'b': [3, 4]}, orient='index')",
    "pd.DataFrame.from_records([(1, 'a'), (2, 'b')], columns=['n', 't'])",
    "pd.concat([df[['k', 'x']], df[['k', 'x']].assign(new=1)])",
]


@pytest.mark.parametrize("call", NATIVE)
def test_that_are_native(call):
    with bc.config.set(fallback="error"):
        eval(call, {"pd": bascule.pandas, "np": np, "df": made(bascule.pandas)})


def frames_to_describe(library):
    df = made(library).drop(columns=["c", "m"])
    return {
        "all": df,
        "numbers": df[["g", "x"]],
        "labels of text": df.set_axis([f"r{i}" for i in range(N)]),
        "labels with a missing one": df.head(3).set_axis(["a", None, "c"]),
        "dates as labels": df.set_index("d"),
        "no rows": df.iloc[:0],
        "repeated names": df[["x", "x"]],
        "a long name": df.rename(columns={"x": "a longer name than the others"}),
        "no columns": df[[]],
        "numbers as names": df.set_axis(range(7), axis=1),
        "a dozen": df.assign(p=1, q=2, r=3, s=4, t=5),
        "many": library.DataFrame({f"c{i}": [i] for i in range(101)}),
    }


@pytest.mark.parametrize(
    "given", [{}, {"memory_usage": False}, {"verbose": False}, {"show_counts": False}, {"max_cols": 2}]
)
@pytest.mark.parametrize("name", list(frames_to_describe(pandas)))
def test_info(name, given, capsys):
    frames_to_describe(pandas)[name].info(**given)
    expected = capsys.readouterr().out
    with bc.config.set(fallback="silent"):
        assert frames_to_describe(bascule.pandas)[name].info(**given) is None
    assert capsys.readouterr().out == expected
