"""One turn that tells several things is several findings: "I live in Rome. We decided on the blue tile." is two.

The budget of a conversation counts findings: what turns were chosen is settled before, and only what is left of the
budget parts them, the surest first. So nothing that was noticed is lost to the parts of another turn.
"""

from collections.abc import Iterator, Sequence

from memory_app.language.extract.choose import Choice
from memory_app.language.extract.claims import Claim
from memory_app.language.extract.signals import Turn
from memory_app.rules.facts import goes_on

Part = tuple[Choice, Sequence[Claim]]


def taken_up_apart(turns: Sequence[Turn], chosen: Sequence[Choice], limit: int) -> Iterator[Part]:
    """Each choice with the claims of one finding; choices of several turns stay whole, their claims left open."""
    room = limit - len(chosen)
    for choice in chosen:
        if len(choice.positions) > 1:
            yield choice, ()
            continue
        parts = _facts(turns[choice.positions[0]].claims, room + 1)
        room -= len(parts) - 1
        yield from ((choice, part) for part in parts)


def _facts(claims: Sequence[Claim], most: int) -> list[list[Claim]]:
    """The claims in order, together where one goes on with what was told before; the last part takes what is left."""
    parts: list[list[Claim]] = []
    for claim in claims:
        # Of a plain statement in another language the rules of English know no more than that it stands alone.
        alone = claim.plain and len(parts) < most
        if (
            parts
            and not alone
            and (len(parts) >= most or any(goes_on(before.text, claim.text) for before in parts[-1]))
        ):
            parts[-1].append(claim)
        else:
            parts.append([claim])
    return parts
