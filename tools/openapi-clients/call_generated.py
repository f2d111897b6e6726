"""Signs in and calls a running server with the client that openapi-python-client generated: call_generated.py CREDENTIALS."""

import importlib
import json
import sys
import uuid

import httpx
from swath_client import AuthenticatedClient
from swath_client.models import (
    CatalogImageQuicklookBody,
    CatalogSearchBody,
    Problem,
    ProjectsCreateBody,
    ProjectsGetBody,
    ProjectsListBody,
)


def function_of(operation):
    """The blocking function of an operation, which returns status and parsed response."""
    tag = operation.split(".")[0]
    module = importlib.import_module(f"swath_client.api.{tag}.{operation.replace('.', '_')}")
    return module.sync_detailed


def sign_in(credentials):
    response = httpx.post(
        f"{credentials['address']}/realms/public/protocol/openid-connect/token",
        data={"grant_type": "password", "username": credentials["username"], "password": credentials["password"]},
    )
    response.raise_for_status()
    return response.json()["access_token"]


def main(credentials_path):
    with open(credentials_path) as file:
        credentials = json.load(file)
    document = httpx.get(f"{credentials['address']}/openapi.json").raise_for_status().json()
    operations = [path["post"]["operationId"] for path in document["paths"].values()]
    for operation in operations:
        function_of(operation)
    print(f"{len(operations)} operations have a function")

    client = AuthenticatedClient(base_url=credentials["address"], token=sign_in(credentials), timeout=30)

    def call(operation, body, status=200):
        response = function_of(operation)(client=client, body=body)
        assert response.status_code == status, (operation, response.status_code, response.content[:300])
        assert response.parsed is not None, operation
        return response.parsed

    results = call("catalog.search", CatalogSearchBody(host_name="open", limit=2))
    scene = results.features[0]
    assert scene.geometry.type_ in ("Polygon", "MultiPolygon") and scene.assets is not None
    image = call("catalog.image.quicklook", CatalogImageQuicklookBody(host_name="open", image_id=scene.id))
    assert len(image.payload.read()) > 100

    project = call("projects.create", ProjectsCreateBody(name=f"Client {uuid.uuid4()}"))
    listed = call("projects.list", ProjectsListBody(limit=500))
    assert project.id in [each.id for each in listed.projects]
    assert call("projects.get", ProjectsGetBody(project_id=project.id)).project.name == project.name

    missing = call("projects.get", ProjectsGetBody(project_id=uuid.uuid4()), 404)
    assert isinstance(missing, Problem) and missing.type_.endswith("/problems/not-found")
    invalid = call("catalog.search", CatalogSearchBody(host_name="open", limit=100_000), 422)
    assert isinstance(invalid, Problem) and invalid.errors[0].path == "limit" and invalid.detail[0].loc
    print("the generated client searched, fetched an image, created, listed, read and parsed problems")


main(*sys.argv[1:])
