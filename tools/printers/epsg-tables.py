"""Prints the tables of `packages/raster/src/formats/crs` that come from the EPSG register, as PROJ's database has it.

    python3 tools/printers/epsg-tables.py [--check] [proj.db]

Writes `ellipsoids.tsv`, `prime-meridians.tsv`, `length-units.tsv`, `datum-names.tsv`, `area-shifts.tsv`,
`areas-of-use.tsv` and `system-kinds.tsv`; with `--check` fails if one of them differs, or does nothing if the database has another version of the register
than the tables. Needs Python alone.
"""
import math
import pathlib
import re
import sqlite3
import sys

FOLDER = pathlib.Path(__file__).parents[2] / "packages/raster/src/formats/crs"
VERSION_FILE = "epsg-version.txt"

# Datums that the register joins to WGS 84 by one operation for each part of their area: the geographic system, and how
# `crs-table.txt` describes the datum.
DATUMS = [("4267", "clrk66", "-8,160,176"), ("4156", "bessel", "589,76,480")]

POSITION_VECTOR, COORDINATE_FRAME, TRANSLATION = "9606", "9607", "9603"

SHIFTS = """
select h.code, h.accuracy, h.method_code, h.tx, h.ty, h.tz, h.rx, h.ry, h.rz, h.scale_difference,
       e.west_lon, e.south_lat, e.east_lon, e.north_lat
from helmert_transformation_table h
join usage u on u.object_table_name = 'helmert_transformation' and u.object_auth_name = 'EPSG' and u.object_code = h.code
join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
where h.auth_name = 'EPSG' and h.source_crs_code = ? and h.target_crs_code = '4326' and not h.deprecated
  and e.description not like '%- offshore %'
"""


# Systems of projections that run to infinity on the earth: stereographic ones, and cones that keep angles.
AREAS = """
select cast(p.code as integer), e.west_lon, e.south_lat, e.east_lon, e.north_lat
from projected_crs p
join conversion c on c.auth_name = p.conversion_auth_name and c.code = p.conversion_code
join usage u on u.object_table_name = 'projected_crs' and u.object_auth_name = 'EPSG' and u.object_code = p.code
join extent e on e.auth_name = u.extent_auth_name and e.code = u.extent_code
where p.auth_name = 'EPSG' and not p.deprecated
  and c.method_code in ('9801', '9802', '9803', '9826', '1051', '9809', '9810', '9829', '9830')
order by 1, 2, 3
"""


def number(value):
    return repr(int(value)) if value == int(value) else repr(value)


def lengths(database):
    rows = database.execute(
        "select code, name, conv_factor from unit_of_measure"
        " where auth_name = 'EPSG' and type = 'length' and not deprecated and name not like '% per %'"
    )
    return {code: (name, factor) for code, name, factor in rows}


def ellipsoids(database, units):
    rows = database.execute(
        "select code, name, semi_major_axis, inv_flattening, semi_minor_axis, uom_code from ellipsoid"
        " where auth_name = 'EPSG' and celestial_body_code = 'EARTH' and not deprecated order by cast(code as integer)"
    )
    for code, name, a, inverse_flattening, b, unit in rows:
        metres = units[unit][1]
        minor = "" if b is None else number(b * metres)
        yield code, name, number(a * metres), "" if b is not None else number(inverse_flattening), minor


def degrees(longitude, unit):
    """Degrees of a longitude in degrees, grads, or degrees, minutes and seconds as the digits of one number (unit 9110)."""
    if unit == "9102":
        return longitude
    if unit == "9105":
        return longitude * 0.9
    whole, digits = f"{abs(longitude):.9f}".split(".")
    minutes, seconds = int(digits[:2]), float(f"{digits[2:4]}.{digits[4:]}")
    return math.copysign(int(whole) + minutes / 60 + seconds / 3600, longitude)


def meridians(database):
    rows = database.execute(
        "select code, name, longitude, uom_code from prime_meridian where auth_name = 'EPSG' and not deprecated order by code"
    )
    for code, name, longitude, unit in rows:
        yield code, name, number(degrees(longitude, str(unit)))


def surface(box):
    west, south, east, north = box
    return (east - west) * (math.sin(math.radians(north)) - math.sin(math.radians(south)))


def holds(outer, inner):
    return outer[0] <= inner[0] and outer[1] <= inner[1] and outer[2] >= inner[2] and outer[3] >= inner[3]


def area_shifts(database):
    """As PROJ chooses without grids: the most accurate operation first, of equal ones that with the smaller area, of equal
    areas the newer one. Operations for an area that earlier ones fill are left out."""
    for system, ellipsoid, shift in DATUMS:
        rows = [(row[0], row[1], row[2:10], row[10:]) for row in database.execute(SHIFTS, [system])]
        rows.sort(key=lambda row: (row[1], surface(row[3]), -int(row[0])))
        boxes = []
        for code, _, (method, *parameters), box in rows:
            if any(holds(other, box) for other in boxes):
                continue
            boxes.append(box)
            if str(method) == COORDINATE_FRAME:
                parameters[3:6] = [-angle for angle in parameters[3:6]]
            elif str(method) not in (POSITION_VECTOR, TRANSLATION):
                raise SystemExit(f"operation {code} has the method {method}")
            kept = parameters[:3] if str(method) == TRANSLATION else parameters
            yield ellipsoid, shift, code, *map(number, box), ",".join(map(number, kept))


DATUM_NAMES = """
select d.name, a.alt_name, c.code, m.longitude
from geodetic_datum d
join geodetic_crs c on c.auth_name = 'EPSG' and c.datum_auth_name = 'EPSG' and c.datum_code = d.code and c.type = 'geographic 2D'
join prime_meridian m on m.auth_name = d.prime_meridian_auth_name and m.code = d.prime_meridian_code
left join alias_name a on a.table_name = 'geodetic_datum' and a.auth_name = 'EPSG' and a.code = d.code
where d.auth_name = 'EPSG' order by c.deprecated, cast(c.code as integer)
"""


def datum_key(name):
    """As `datum-names.ts` compares names."""
    return re.sub("[^a-z0-9+]", "", re.sub("^D_", "", name).lower())


def datum_names(database):
    """Names of datums in well-known text, of the register and of ESRI, with a geographic system on each. One that counts from another
    meridian has the shift of the same datum from Greenwich."""
    codes, found = {}, {}
    rows = database.execute(DATUM_NAMES).fetchall()
    for name, _, code, _ in rows:
        codes.setdefault(name, code)
    for name, alias, code, longitude in rows:
        greenwich = codes.get(re.sub(r" \([A-Z][a-z]+\)$", "", name)) if longitude != 0 else None
        for text in filter(None, (name, alias)):
            found.setdefault(datum_key(text), greenwich or code)
    return sorted(found.items())


def areas_of_use(database):
    """One box for each code, west greater than east across 180 degrees; of several areas the first."""
    boxes = {}
    for code, *box in database.execute(AREAS):
        boxes.setdefault(code, box)
    for code, box in boxes.items():
        yield code, *map(number, box)


# Systems that have no place on a map: their codes are known, to say what they are.
KINDS = """
select cast(code as integer), type from geodetic_crs where auth_name = 'EPSG' and type in ('geocentric', 'geographic 3D')
union select cast(code as integer), 'vertical' from vertical_crs where auth_name = 'EPSG'
union select cast(code as integer), 'compound' from compound_crs where auth_name = 'EPSG'
order by 1
"""


def tables(database):
    units = lengths(database)
    return {
        "ellipsoids.tsv": ("code name a rf b", ellipsoids(database, units)),
        "prime-meridians.tsv": ("code name degrees", meridians(database)),
        "length-units.tsv": ("code name metres", ((code, name, number(factor)) for code, (name, factor) in sorted(
            units.items(), key=lambda row: int(row[0])))),
        "datum-names.tsv": ("name code", datum_names(database)),
        "areas-of-use.tsv": ("code west south east north", areas_of_use(database)),
        "system-kinds.tsv": ("code kind", database.execute(KINDS)),
        "area-shifts.tsv": ("ellipsoid datum_shift operation west south east north shift", area_shifts(database)),
    }


def main(words):
    check = "--check" in words
    path = next((word for word in words if word != "--check"), "/usr/share/proj/proj.db")
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    version = database.execute("select value from metadata where key = 'EPSG.VERSION'").fetchone()[0]
    known = FOLDER / VERSION_FILE
    if check and known.read_text().strip() != version:
        print(f"the tables have the register {known.read_text().strip()}, the database {version}: not compared")
        return
    for name, (columns, rows) in tables(database).items():
        lines = [columns.split(" "), *rows]
        text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
        if not check:
            (FOLDER / name).write_text(text)
        elif (FOLDER / name).read_text() != text:
            raise SystemExit(f"{name} is not what the register {version} says")
    if not check:
        known.write_text(f"{version}\n")
    print(f"the tables have the register {version}")


main(sys.argv[1:])
