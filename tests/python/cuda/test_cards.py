"""Several cards in one machine. All emulated."""

import emulated_cuda


def test_only_cards_in_use_get_a_context():
    """A context uses some hundred MB of a card, and cannot be created if another process has exclusive use of it."""
    said = emulated_cuda.run(
        """
    opened = lambda: calls("cuDevicePrimaryCtxRetain")
    seen = [opened()]
    x = bc.evaluate(bc.arange(5.0, device="cuda:2"))
    seen.append(opened())
    y = x.to_device("cuda:5") + 1
    bc.synchronize("cuda:5")
    seen.append(opened())
    try:
        bc.evaluate(bc.zeros(3, device="cuda:8"))
    except (ValueError, RuntimeError) as error:
        print(seen, "8" in str(error), (y.get() == np.arange(5.0) + 1).all())
    """,
        BASCULE_FAKE_CUDA_DEVICES="8",
    )
    assert said == "[0, 1, 2] True True"


def test_a_card_that_cannot_be_opened_leaves_the_others_alone():
    said = emulated_cuda.run(
        """
    import os
    os.environ["BASCULE_FAKE_CUDA_FAIL"] = "cuDevicePrimaryCtxRetain:1"
    try:
        bc.evaluate(bc.zeros(3, device="cuda:0"))
    except RuntimeError as error:
        print("[cuda]" in str(error), (bc.ones(3, device="cuda:1") + 1).get().tolist())
    """,
        BASCULE_FAKE_CUDA_DEVICES="2",
    )
    assert said == "True [2.0, 2.0, 2.0]"
