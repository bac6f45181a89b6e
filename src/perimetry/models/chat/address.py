"""Where an endpoint is: its URL, and whether that is this machine."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from perimetry.cases.errors import UsageError
from perimetry.models.chat.secrets import scrub

__all__ = ["Address"]


@dataclass(frozen=True, slots=True)
class Address:
    """Base URL of an OpenAI-compatible endpoint.

    Parameters
    ----------
    url : str
        ``http://HOST:PORT/v1`` or ``https://...``; a trailing ``/chat/completions`` is taken off.

    Raises
    ------
    UsageError
        When it is not an address of that form.

    Examples
    --------
    >>> Address("http://127.0.0.1:8000/v1").is_local, Address("https://localhost.example.org/v1").is_local
    (True, False)
    """

    url: str

    def __post_init__(self) -> None:
        url = self.url.strip().rstrip("/").removesuffix("/chat/completions")
        try:
            parts = urlsplit(url)
            valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        except ValueError:
            valid = False
        if not valid:
            raise UsageError(
                f"{scrub(self.url)!r} is not the address of an endpoint. Expected http://HOST:PORT/v1 or "
                "https://HOST/v1, for example http://localhost:8000/v1."
            )
        object.__setattr__(self, "url", url)

    @property
    def host(self) -> str:
        """Host name or number, lower case."""
        return urlsplit(self.url).hostname or ""

    @property
    def shown(self) -> str:
        """The address without user, password and query."""
        parts = urlsplit(self.url)
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{host}{port}{parts.path}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """User, password and query values in it; empty for most addresses."""
        parts = urlsplit(self.url)
        values = [pair.partition("=")[2] for pair in parts.query.split("&")]
        return tuple(value for value in (parts.username, parts.password, *values) if value)

    @property
    def is_local(self) -> bool:
        """Whether the host is this machine by its number or by the one name that always is; no name is looked up.

        Only 127.0.0.0/8, ::1 and ``localhost`` count. A name that resolves to this machine today may resolve to
        another tomorrow, so it does not.
        """
        if self.host == "localhost":
            return True
        try:
            number = ipaddress.ip_address(self.host)
        except ValueError:
            return False
        if isinstance(number, ipaddress.IPv4Address):
            return number in ipaddress.ip_network("127.0.0.0/8")
        return number == ipaddress.IPv6Address("::1")
