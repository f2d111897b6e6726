"""Validates a WMTS with the OGC schemas and OWSLib: validate-owslib.py <test case as JSON>; prints one line per violation."""
import importlib.util
import json
import os
import re
import sys
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlparse
from urllib.request import urlopen

from lxml import etree
from owslib.wmts import WebMapTileService

case = json.loads(sys.argv[1])
schemas = os.path.join(os.path.dirname(importlib.util.find_spec("mapproxy").origin), "test", "schemas")


class Local(etree.Resolver):
    """Resolves the URLs of schemas at OGC and W3C to local files."""

    def resolve(self, url, _public, context):
        path = re.sub(r"^https?://(schemas\.opengis\.net|www\.w3\.org/1999|www\.w3\.org/2001)/", "", url)
        path = {"xlink.xsd": "xlink/1.0.0/xlinks.xsd"}.get(path, path)
        place = os.path.join(schemas, path)
        return self.resolve_filename(place, context) if os.path.exists(place) else None


def validate(text, schema, what):
    parser = etree.XMLParser()
    parser.resolvers.add(Local())
    try:
        checker = etree.XMLSchema(etree.parse(os.path.join(schemas, schema), parser))
    except etree.XMLSchemaParseError as error:
        return print(f"the schema {schema} cannot be parsed: {error}")
    if not checker.validate(etree.fromstring(text)):
        for error in checker.error_log:
            print(f"{what}, line {error.line}: {error.message}")


with urlopen(case["capabilities"]) as response:
    validate(response.read(), "wmts/1.0/wmtsGetCapabilities_response.xsd", "the capabilities")
try:
    urlopen(case["refused"])
    print("an invalid WMTS request succeeded")
except HTTPError as error:
    validate(error.read(), "ows/1.1.0/owsExceptionReport.xsd", "the exception report")

z, x, y = case["tile"]
tile = {"layer": case["layer"], "tilematrixset": "GoogleMapsCompatible", "tilematrix": str(z), "row": y, "column": x}
with urlopen(case["plain"]) as response:
    expected = response.read()
service = WebMapTileService(case["capabilities"])
layer = service[case["layer"]]
if layer.formats[0] != "image/png" or list(service.tilematrixsets) != ["GoogleMapsCompatible"]:
    print(f"OWSLib reads {layer.formats} and {list(service.tilematrixsets)}")
if max(abs(a - b) for a, b in zip(layer.boundingBoxWGS84, case["bounds"])) > 1e-9:
    print(f"OWSLib reads the bounds {layer.boundingBoxWGS84}")
if service.gettile(format="image/png", **tile).read() != expected:
    print("the KVP request of OWSLib returns another tile than z/x/y")
resource = service.buildTileResource(format="image/png", **tile)
# OWSLib may use the template of any format.
ending = urlparse(resource).path.rpartition(".")[2]
with urlopen(resource) as response, urlopen(case["plain"].replace(".png?", f".{ending}?")) as same:
    if response.read() != same.read():
        print(f"the URL template returns another tile: {resource}")
sent = parse_qs(urlparse(resource).query)
if sent.get("key") != [case["key"]] or sent.get("profile") != [case["profile"]]:
    print(f"the template lost its key or profile: {resource}")
