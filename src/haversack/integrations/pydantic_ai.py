"""Pydantic AI: a history processor that keeps an agent's history within a budget.

    agent = Agent(model, capabilities=[ProcessHistory(HistoryPacking(100_000, counter="o200k_base"))])

A request that holds a system prompt part is pinned, as Pydantic AI sends that only once. The rules are the
strictest of any provider (Anthropic's), as a processor is not told which one is behind the model.
"""

from __future__ import annotations

from dataclasses import replace

from haversack._budget import budget_of, reserve_of
from haversack.chat._elide import checked_sizes
from haversack.chat._job import Foreign, Job
from haversack.chat._message import to_json
from haversack.chat._selection import Order
from haversack.integrations._extras import missing

try:
    from pydantic_ai.messages import ModelMessage, ModelRequest
except ImportError as error:  # pragma: no cover - tested in a process of its own
    raise missing("pydantic-ai-slim", "pydantic-ai") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from haversack.chat._pins import Pins
    from haversack.chat._result import MessagePacking


class HistoryPacking:
    """A history processor: what fits *budget* - *reserve* tokens, the last selection kept while it fits.

    *system* and *tools* are counted if you pass them, as a processor is not told the agent's instructions
    and tools. *pinned* and *elide* are those of `haversack.pack_messages`. `packing` holds the last result.
    """

    def __init__(
        self,
        budget: int,
        *,
        counter: str | Callable[[str], int],
        reserve: int = 0,
        system: Any = None,
        tools: Any = None,
        target: float = 0.6,
        pinned: Pins = None,
        elide: int | Sequence[int] | None = None,
        over_budget: str = "raise",
    ) -> None:
        self.budget = budget_of(budget)
        self.reserve = reserve_of(reserve)
        self.counter = counter
        self.system = system
        self.tools = tools
        self.target = target
        self.pinned = pinned
        self.sizes = checked_sizes(elide)
        self.over_budget = over_budget
        self.packing: MessagePacking | None = None

    def __call__(self, messages: list[ModelMessage]) -> list[ModelMessage]:
        """Pack the history of one model request."""
        foreign = Foreign(read_message, rebuilt, Order(first_user=True, call_behind_user=True))
        job = Job(list(messages), "anthropic", self.system, self.tools, self.counter, None, None, foreign)
        job.prepare(None, self.pinned, self.sizes)
        self.packing = job.run(
            self.budget, self.reserve, True, self.packing, self.target, self.over_budget, depth=3
        )
        return self.packing.messages


def read_message(message: ModelMessage) -> dict[str, Any]:
    """What a message reads like in Anthropic's form."""
    blocks = [block for part in message.parts for block in _blocks(part)]
    if not isinstance(message, ModelRequest):
        return {"role": "assistant", "content": blocks}
    blocks.sort(key=lambda block: block["type"] != "tool_result")
    prompts = any(part.part_kind == "system-prompt" for part in message.parts)
    return {
        "role": "user",
        "content": blocks or [{"type": "text", "text": message.instructions or "."}],
        "pinned": prompts,
    }


def _blocks(part: Any) -> list[dict[str, Any]]:
    kind = part.part_kind
    if kind in ("tool-return", "retry-prompt") and part.tool_name is not None:
        content = (
            part.content
            if isinstance(part.content, str)
            else part.model_response_str()
            if kind == "tool-return"
            else part.model_response()
        )
        return [{"type": "tool_result", "tool_use_id": part.tool_call_id, "content": content}]
    if kind == "tool-call":
        return [
            {
                "type": "tool_use",
                "id": part.tool_call_id,
                "name": part.tool_name,
                "input": part.args_as_dict(),
            }
        ]
    if kind == "thinking":
        return [{"type": "thinking", "thinking": part.content}]
    content = getattr(part, "content", None)
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    items = (
        content if isinstance(content, (list, tuple)) else [content if content is not None else repr(part)]
    )
    return [_item(item) for item in items]


def _item(item: Any) -> dict[str, Any]:
    if isinstance(item, str):
        return {"type": "text", "text": item}
    kind = getattr(item, "kind", "")
    if kind in ("image-url", "binary") and (kind == "image-url" or getattr(item, "is_image", False)):
        return {"type": "image", "source": {}}
    if kind:
        return {"type": "document", "source": {}}
    return {"type": "text", "text": to_json(item)}


def rebuilt(message: ModelMessage, read: Mapping[str, Any]) -> ModelMessage:
    """A copy of a message with the results and texts it should have now, part by part."""
    fresh = {
        block.get("tool_use_id"): block["content"]
        for block in read["content"]
        if block["type"] == "tool_result"
    }
    texts = iter([block["text"] for block in read["content"] if block["type"] == "text"])
    parts: list[Any] = []
    part: Any  # every kind of part has what its blocks say it has
    for part in message.parts:
        blocks = _blocks(part)
        if blocks and blocks[0]["type"] == "tool_result":
            new = fresh[part.tool_call_id]
            parts.append(part if new == blocks[0]["content"] else replace(part, content=new))
            continue
        told = [next(texts) if block["type"] == "text" else None for block in blocks]
        old = getattr(part, "content", None)
        changed = isinstance(old, str) and told and told[0] != old
        parts.append(replace(part, content=told[0]) if changed else part)
    copied: Any = message
    changed_message: ModelMessage = replace(copied, parts=parts)
    return changed_message
