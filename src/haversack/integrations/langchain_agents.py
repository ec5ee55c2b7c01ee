"""LangChain agents: a middleware that packs the messages of every model call."""

from __future__ import annotations

from haversack._budget import budget_of, reserve_of
from haversack.chat._elide import checked_sizes
from haversack.chat._job import Foreign, Job
from haversack.integrations._extras import missing
from haversack.integrations.langchain import STRICT, read_message, rebuilt

try:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.utils.function_calling import convert_to_openai_tool
except ImportError as error:  # pragma: no cover - tested in a process of its own
    raise missing("langchain", "langchain") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import Any

    from haversack.chat._pins import Pins
    from haversack.chat._result import MessagePacking


class ContextPacking(AgentMiddleware):
    """Send the model only what fits *budget* - *reserve* tokens; the agent's own state keeps every message.

    The last selection is kept and appended to while it fits, so that the provider's prompt cache stays
    warm; when it is full it is cut once, to *target* of the room. System prompt and tools are counted.
    *elide* and *pinned* are those of `haversack.pack_messages`. `packing` holds the last result.
    """

    def __init__(
        self,
        budget: int,
        *,
        counter: str | Callable[[str], int],
        reserve: int = 0,
        target: float = 0.6,
        pinned: Pins = None,
        elide: int | Sequence[int] | None = None,
        over_budget: str = "raise",
    ) -> None:
        super().__init__()
        self.budget = budget_of(budget)
        self.reserve = reserve_of(reserve)
        self.counter = counter
        self.target = target
        self.pinned = pinned
        self.sizes = checked_sizes(elide)
        self.over_budget = over_budget
        self.packing: MessagePacking | None = None

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Pack, then call the model."""
        return handler(self._packed(request))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Pack, then call the model."""
        return await handler(self._packed(request))

    def _packed(self, request: Any) -> Any:
        tools = [convert_to_openai_tool(tool) for tool in request.tools or ()]
        system = request.system_message.text if request.system_message is not None else None
        foreign = Foreign(read_message, rebuilt, STRICT)
        job = Job(list(request.messages), "openai", system, tools, self.counter, None, None, foreign)
        job.prepare(None, self.pinned, self.sizes)
        self.packing = job.run(
            self.budget, self.reserve, None, self.packing, self.target, self.over_budget, depth=4
        )
        return request.override(messages=self.packing.messages)
