"""Features of text: `sklearn.feature_extraction.text`, with tokens counted for all documents at once."""

from ..._names import handing_on

__getattr__, __dir__, __all__ = handing_on(
    __name__,
    {
        "CountVectorizer": "_counts",
        "HashingVectorizer": "_hashes",
        "TfidfTransformer": "_tfidf",
        "TfidfVectorizer": "_counts",
    },
)
