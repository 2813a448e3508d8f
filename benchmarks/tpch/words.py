"""The words of TPC-H's strings, with their weights in its generator."""

from __future__ import annotations

NATIONS = [
    ("ALGERIA", 0), ("ARGENTINA", 1), ("BRAZIL", 1), ("CANADA", 1), ("EGYPT", 4), ("ETHIOPIA", 0), ("FRANCE", 3),
    ("GERMANY", 3), ("INDIA", 2), ("INDONESIA", 2), ("IRAN", 4), ("IRAQ", 4), ("JAPAN", 2), ("JORDAN", 4), ("KENYA", 0),
    ("MOROCCO", 0), ("MOZAMBIQUE", 0), ("PERU", 1), ("CHINA", 2), ("ROMANIA", 3), ("SAUDI ARABIA", 4), ("VIETNAM", 2),
    ("RUSSIA", 3), ("UNITED KINGDOM", 3), ("UNITED STATES", 1),
]  # fmt: skip
REGIONS = ["AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"]
SEGMENTS = ["AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"]
PRIORITIES = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"]
INSTRUCTIONS = ["DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"]
MODES = ["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"]
TYPES = [
    ["STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"],
    ["ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"],
    ["TIN", "NICKEL", "BRASS", "STEEL", "COPPER"],
]
CONTAINERS = [["SM", "LG", "MED", "JUMBO", "WRAP"], ["CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM"]]
COLORS = (
    "almond antique aquamarine azure beige bisque black blanched blue blush brown burlywood burnished chartreuse chiffon "
    "chocolate coral cornflower cornsilk cream cyan dark deep dim dodger drab firebrick floral forest frosted gainsboro "
    "ghost goldenrod green grey honeydew hot indian ivory khaki lace lavender lawn lemon light lime linen magenta maroon "
    "medium metallic midnight mint misty moccasin navajo navy olive orange orchid pale papaya peach peru pink plum powder "
    "puff purple red rose rosy royal saddle salmon sandy seashell sienna sky slate smoke snow spring steel tan thistle "
    "tomato turquoise violet wheat white yellow"
).split()

# Words of sentences: first those with a weight, then those with weight one.
_WEIGHTED = {
    "N": (
        {40: "packages requests accounts deposits", 20: "foxes ideas theodolites pinto_beans instructions",
         10: "dependencies excuses platelets asymptotes", 5: "courts dolphins"},
        "multipliers sauternes warthogs frets dinos attainments somas Tiresias' patterns forges braids hockey_players frays "
        "warhorses dugouts notornis epitaphs pearls tithes waters orbits gifts sheaves depths sentiments decoys realms pains "
        "grouches escapades"),
    "J": (
        {50: "regular", 40: "final ironic", 30: "even", 20: "special pending unusual express bold", 10: "silent"},
        "furious sly careful blithe quick fluffy slow quiet ruthless thin close dogged daring brave stealthy permanent "
        "enticing idle busy"),
    "D": (
        {50: "furiously slyly carefully", 40: "blithely", 30: "quickly", 20: "fluffily"},
        "sometimes always never slowly quietly ruthlessly thinly closely doggedly daringly bravely stealthily permanently "
        "enticingly idly busily regularly finally ironically evenly boldly silently"),
    "V": (
        {20: "sleep wake are cajole haggle", 10: "nag use boost", 5: "affix detect integrate"},
        "maintain nod was lose sublate solve thrash promise engage hinder print x-ray breach eat grow impress mold poach serve "
        "run dazzle snooze doze unwind kindle play hang believe doubt"),
    "X": (
        {},
        "do may might shall will would can could should ought_to must will_have_to shall_have_to could_have_to should_have_to "
        "must_have_to need_to try_to"),
    "P": (
        {50: "about according_to across after against along", 20: "above"},
        "alongside_of among around at atop before behind beneath beside besides between beyond by despite during except for "
        "from in_place_of inside instead_of into near of on outside over past since through throughout to toward under until "
        "up upon without with within"),
    "T": ({50: "."}, "; : ? ! --"),
}  # fmt: skip
SENTENCES = {"N_ V_ T": 3, "N_ V_ P_ T": 3, "N_ V_ N_ T": 3, "N_ P_ V_ N_ T": 1, "N_ P_ V_ P_ T": 1}
PHRASES = {
    "N_": [(10, "N"), (20, "J N"), (10, "J, J N"), (50, "D J N")],
    "V_": [(30, "V"), (1, "X V"), (40, "V D"), (1, "X V D")],
    "P_": [(1, "P the N_")],
}


def weighted(kind: str) -> tuple[list[str], list[int]]:
    """The words of a kind, and their relative frequencies."""
    often, rare = _WEIGHTED[kind]
    pairs = [(word, weight) for weight, words in often.items() for word in words.split()]
    pairs += [(word, 1) for word in rare.split()]
    return [word.replace("_", " ") for word, _ in pairs], [weight for _, weight in pairs]
