"""Passes of satellites over places by skyfield: a request as JSON on standard input, its answer on standard output.

The method is another than that of the product: all positions at a fixed step, refined by positions at every second around
each local minimum of the off-nadir angle.
"""

import json
import sys

import numpy as np
from skyfield.api import EarthSatellite, load, wgs84
from skyfield.framelib import itrs

STEP_S = 20
REFINE_S = 1
MARGIN_DEG = 12
LONGEST_S = 400

timescale = load.timescale(builtin=True)


def times_of(seconds):
    """skyfield's times of POSIX seconds."""
    days, rest = np.divmod(seconds, 86400)
    return timescale.utc(1970, 1, 1 + days, 0, 0, rest)


def directions(satellite, seconds):
    """Earth-fixed positions in kilometres, and the directions straight down."""
    position = satellite.at(times_of(seconds))
    ground = wgs84.geographic_position_of(position)
    lon, lat = ground.longitude.radians, ground.latitude.radians
    down = -np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    return position.frame_xyz(itrs).km, down


def off_nadir(place, position, down):
    """Degrees; 180 where the place is behind the horizon."""
    line = place["position"][:, None] - position
    angle = np.degrees(np.arctan2(np.linalg.norm(np.cross(down, line, axis=0), axis=0), np.sum(down * line, axis=0)))
    return np.where(place["up"] @ line <= 0, angle, 180.0)


def open_place(longitude, latitude):
    ground = wgs84.latlon(latitude, longitude)
    lon, lat = np.radians(longitude), np.radians(latitude)
    up = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    return {"position": ground.itrs_xyz.km, "up": up}


def crossing(seconds, angles, inside, outside, limit):
    """The time between two neighbours at which the angle is the limit."""
    part = (limit - angles[inside]) / (angles[outside] - angles[inside])
    return seconds[inside] + (seconds[outside] - seconds[inside]) * part


def smallest(place, positions, downs):
    """The moment, in steps from the middle one of three, and the size of the smallest angle.

    Positions between are those of the parabola through the three, which is true to a metre over two seconds; the angle itself
    is no parabola where the satellite passes overhead.
    """
    at = np.linspace(-1, 1, 401)
    weights = np.array([at * (at - 1) / 2, 1 - at * at, at * (at + 1) / 2])
    angles = off_nadir(place, positions @ weights, downs @ weights)
    lowest = int(np.argmin(angles))
    return at[lowest], float(angles[lowest])


def refined(place, seconds, position, down, limit):
    """Start, end, moment and size of the smallest angle, in a window of seconds; None if it is above the limit."""
    angles = off_nadir(place, position, down)
    lowest = int(np.argmin(angles))
    if lowest in (0, len(angles) - 1) or angles[lowest] > limit:
        return None
    around = slice(lowest - 1, lowest + 2)
    shift, angle = smallest(place, position[:, around], down[:, around])
    inside = np.flatnonzero(angles <= limit)
    first, last = int(inside[0]), int(inside[-1])
    if first == 0 or last == len(angles) - 1:
        raise ValueError("a pass is longer than the window that is refined")
    return [
        crossing(seconds, angles, first, first - 1, limit),
        crossing(seconds, angles, last, last + 1, limit),
        seconds[lowest] + shift * REFINE_S,
        angle,
    ]


def passes_of(satellite, limit, places, start_s, end_s):
    seconds = np.arange(start_s - LONGEST_S, end_s + LONGEST_S, STEP_S, dtype=float)
    position, down = directions(satellite, seconds)
    candidates = []
    for index, place in enumerate(places):
        angles = off_nadir(place, position, down)
        middle = angles[1:-1]
        lowest = (middle <= angles[:-2]) & (middle < angles[2:]) & (middle < limit + MARGIN_DEG)
        candidates += [(index, seconds[at + 1]) for at in np.flatnonzero(lowest)]
    offsets = np.arange(-LONGEST_S / 2, LONGEST_S / 2 + REFINE_S, REFINE_S)
    found = [[] for _ in places]
    for first in range(0, len(candidates), 100):
        batch = candidates[first : first + 100]
        fine = np.concatenate([moment + offsets for _, moment in batch])
        position, down = directions(satellite, fine)
        for number, (index, _) in enumerate(batch):
            part = slice(number * len(offsets), (number + 1) * len(offsets))
            one = refined(places[index], fine[part], position[:, part], down[:, part], limit)
            if one is not None and start_s <= one[2] <= end_s:
                found[index].append(one)
    return found


def main():
    request = json.load(sys.stdin)
    places = [open_place(*place) for place in request["places"]]
    for entry in request["satellites"]:
        satellite = EarthSatellite(entry["line1"], entry["line2"], entry["name"], timescale)
        found = passes_of(satellite, entry["limit"], places, request["start_s"], request["end_s"])
        print(json.dumps({"name": entry["name"], "passes": found}), flush=True)


main()
