"""Judges a WMTS with the schemas of OGC and OWSLib: judge-owslib.py <question as JSON>; prints what is wrong, a line each."""
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

question = json.loads(sys.argv[1])
schemas = os.path.join(os.path.dirname(importlib.util.find_spec("mapproxy").origin), "test", "schemas")


class Local(etree.Resolver):
    """Every schema by the address that it has at OGC and W3C, from the disk."""

    def resolve(self, address, _public, context):
        path = re.sub(r"^https?://(schemas\.opengis\.net|www\.w3\.org/1999|www\.w3\.org/2001)/", "", address)
        path = {"xlink.xsd": "xlink/1.0.0/xlinks.xsd"}.get(path, path)
        place = os.path.join(schemas, path)
        return self.resolve_filename(place, context) if os.path.exists(place) else None


def validate(text, schema, what):
    parser = etree.XMLParser()
    parser.resolvers.add(Local())
    try:
        checker = etree.XMLSchema(etree.parse(os.path.join(schemas, schema), parser))
    except etree.XMLSchemaParseError as fault:
        return print(f"the schema {schema} cannot be read: {fault}")
    if not checker.validate(etree.fromstring(text)):
        for fault in checker.error_log:
            print(f"{what}, line {fault.line}: {fault.message}")


with urlopen(question["capabilities"]) as answer:
    validate(answer.read(), "wmts/1.0/wmtsGetCapabilities_response.xsd", "the capabilities")
try:
    urlopen(question["refused"])
    print("what is no WMTS request was answered")
except HTTPError as refusal:
    validate(refusal.read(), "ows/1.1.0/owsExceptionReport.xsd", "the refusal")

z, x, y = question["tile"]
place = {"layer": question["layer"], "tilematrixset": "GoogleMapsCompatible", "tilematrix": str(z), "row": y, "column": x}
with urlopen(question["plain"]) as answer:
    wanted = answer.read()
service = WebMapTileService(question["capabilities"])
layer = service[question["layer"]]
if layer.formats[0] != "image/png" or list(service.tilematrixsets) != ["GoogleMapsCompatible"]:
    print(f"OWSLib reads {layer.formats} and {list(service.tilematrixsets)}")
if max(abs(a - b) for a, b in zip(layer.boundingBoxWGS84, question["bounds"])) > 1e-9:
    print(f"OWSLib reads the bounds {layer.boundingBoxWGS84}")
if service.gettile(format="image/png", **place).read() != wanted:
    print("OWSLib is given another tile by key and value than maps by z, x and y")
resource = service.buildTileResource(format="image/png", **place)
# It takes the template of any format.
ending = urlparse(resource).path.rpartition(".")[2]
with urlopen(resource) as answer, urlopen(question["plain"].replace(".png?", f".{ending}?")) as same:
    if answer.read() != same.read():
        print(f"OWSLib is given another tile by template, {resource}")
sent = parse_qs(urlparse(resource).query)
if sent.get("key") != [question["key"]] or sent.get("profile") != [question["profile"]]:
    print(f"the template lost its key or profile: {resource}")
