"""Words for options of which a wish has one at a time, by sort, each under the name that stands for all its forms."""

from __future__ import annotations


def _forms(text: str) -> dict[str, str]:
    """Read "one = other, third; next": all forms of an option by the first of them."""
    found: dict[str, str] = {}
    for entry in text.split(";"):
        first, _, others = entry.strip().partition(" = ")
        found |= dict.fromkeys((first, *(other.strip() for other in others.split(",") if other.strip())), first)
    return found


AREAS = _forms(
    "north = northern; south = southern; east = eastern; west = western; "
    "centre = center, central, city centre, city center, town centre, downtown"
)
PRICES = _forms(
    "cheap = cheaper, cheapest, inexpensive, budget, low-cost, low cost; moderate = moderately priced, moderately, "
    "mid-range, mid range, midrange, medium priced, reasonably priced; "
    "expensive = pricey, upscale, high-end, high end, fancy, luxury"
)
SIZES = _forms("small = smaller; medium = medium-sized; large = larger, big, bigger")
COLOURS = _forms("red; blue; green; yellow; black; white; grey = gray; brown; orange; purple; pink; silver; beige")
LODGINGS = _forms("hotel; guesthouse = guest house, guesthouses; hostel; motel; apartment; campsite")
CLASSES = _forms("economy = economy class, coach; business = business class; first class; premium economy")
CUISINES = _forms(
    "african; american; arab; asian; australian; austrian; basque; brazilian; british = english; cantonese; caribbean; "
    "chinese; cuban; danish; dutch; ethiopian; european; french; fusion; gastropub; german; greek; hungarian; indian; "
    "indonesian; international; iranian = persian; irish; italian; jamaican; japanese; korean; lebanese; malaysian; "
    "mediterranean; mexican; moroccan; nepalese; oriental; peruvian; polish; portuguese; russian; scandinavian; "
    "scottish; seafood; singaporean; spanish; steakhouse; swedish; swiss; thai; turkish; vegan; vegetarian; venetian; "
    "vietnamese; welsh"
)
SIGHTS = _forms(
    "museum = museums; college = colleges; park = parks; nightclub = nightclubs, night club; "
    "theatre = theatres, theater, theaters; cinema = cinemas; swimming pool = swimming pools, pool; "
    "gallery = galleries; church = churches; concert hall; boat = boats; zoo; aquarium; architecture; sports"
)
