"""Files that are downloaded into a folder."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from .._part_file import open_replacement
from .workspace import workspace


@dataclass
class ImageFile:
    """A file of the platform."""

    url: str
    file_name: str = "output"

    def download(self, output_directory: str | PathLike[str]) -> Path:
        """Downloads it into the folder and returns its path. Raises the class of the problem if it is refused."""
        target = Path(output_directory) / self._name()
        with workspace.client.fetch(self.url) as response:
            if not response.is_success:
                raise response.problem()
            with open_replacement(target) as file:
                for piece in response.iter_bytes():
                    file.write(piece)
        return target

    def _name(self) -> str:
        """The name that the URL suggests, with the extension of its path."""
        parts = urlsplit(self.url)
        suffix = Path(parts.path).suffix
        disposition = parse_qs(parts.query).get("response-content-disposition", [""])[0]
        _, _, suggested = disposition.partition("filename=")
        stem = suggested.strip('"').split('"')[0] or self.file_name
        return Path(stem if stem.endswith(suffix) and suffix else f"{stem}{suffix}").name
