"""The chat-completions dialect: bodies, replies, failures, addresses, secrets and pace."""

from perimetry.models.chat.address import Address
from perimetry.models.chat.body import ChatStyle, build_body
from perimetry.models.chat.failures import failure_of_status, failure_of_text
from perimetry.models.chat.pace import Pace
from perimetry.models.chat.reply import read_reply
from perimetry.models.chat.secrets import scrub

__all__ = [
    "Address",
    "ChatStyle",
    "Pace",
    "build_body",
    "failure_of_status",
    "failure_of_text",
    "read_reply",
    "scrub",
]
