"""Numbers as people read them."""

THIN_SPACE = "\u202f"


def count_text(number):
    return f"{number:,}".replace(",", THIN_SPACE)


def plural_text(number, one, many=""):
    return f"{count_text(number)} {one if number == 1 else many or one + 's'}"


def credits_text(credits):
    return plural_text(credits, "credit")


def km2_text(area_km2):
    return f"{area_km2:,.2f}".replace(",", THIN_SPACE) + " km²"
