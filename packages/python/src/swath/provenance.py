"""What data was made of, and what was made of it, as W3C PROV."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import prov.model

    from .receipts import Receipt
    from .signing import Caller


@dataclass(frozen=True, slots=True)
class Provenance:
    """The lineage of an entity."""

    document: dict[str, Any]
    """PROV-JSON, as the platform writes it."""

    def to_prov(self) -> prov.model.ProvDocument:
        """As a document of the package `prov` (extra `provenance`), which draws and converts it."""
        from prov.model import ProvDocument

        return ProvDocument.deserialize(content=json.dumps(self.document), format="json")

    def sources(self) -> list[str]:
        """The entities without a source of their own, such as `capture/open:scene-1`: what everything else was made of."""
        from urllib.parse import unquote

        made = {row["prov:entity"] for row in self._records("wasGeneratedBy")}
        made |= {row["prov:generatedEntity"] for row in self._records("wasDerivedFrom")}
        return sorted(unquote(name.removeprefix("swath:")) for name in self.document.get("entity", {}) if name not in made)

    def receipts(self) -> list[str]:
        """The signed receipts of the jobs in it, as compact JWS."""
        return [row["swath:receipt_jws"] for row in self._records("activity") if "swath:receipt_jws" in row]

    def verify_receipts(self, keys: Mapping[str, Any]) -> list[Receipt]:
        """The receipts of the jobs in it, verified offline; `swath.receipts.verify_receipt` has the details."""
        from .receipts import verify_receipt

        return [verify_receipt(receipt, keys) for receipt in self.receipts()]

    def _records(self, kind: str) -> list[dict[str, Any]]:
        return list(self.document.get(kind, {}).values())


def trace(
    client: Caller,
    entity_type: str,
    entity_id: str,
    direction: Literal["up", "down", "both"] = "up",
) -> Provenance:
    """The lineage of an item, an order, a job, an upload or a capture.

    Args:
        client: The client.
        entity_type: Such as `item` or `order`.
        entity_id: Its id; of a capture that at its host.
        direction: `up` to its sources, `down` to what was made of it.
    """
    input = {"entity_type": entity_type, "entity_id": entity_id, "direction": direction}
    return Provenance(client.call("provenance.export", input))
