"""Passes over one place by skyfield's own search for events: JSON on standard input, the time and the count on standard output."""

import json
import sys
import time

from skyfield.api import EarthSatellite, load, wgs84

request = json.load(sys.stdin)
timescale = load.timescale(builtin=True)
start, end = (timescale.utc(1970, 1, 1, 0, 0, seconds) for seconds in (request["start_s"], request["end_s"]))
place = wgs84.latlon(request["latitude"], request["longitude"])


def search():
    count = 0
    for one in request["satellites"]:
        satellite = EarthSatellite(one["line1"], one["line2"], one["name"], timescale)
        _, events = satellite.find_events(place, start, end, altitude_degrees=one["elevation"])
        count += int((events == 1).sum())
    return count


for _ in range(request["rounds"]):
    begin = time.perf_counter()
    passes = search()
    print(json.dumps({"ms": (time.perf_counter() - begin) * 1000, "passes": passes}), flush=True)
