"""OpenAI Agents SDK: an input filter that packs what every model call is sent.

    packing = InputPacking(100_000)
    result = await Runner.run(agent, task, run_config=RunConfig(call_model_input_filter=packing))

The session keeps every item; only what is sent is packed.
"""

from __future__ import annotations

from haversack.chat.pack import pack_messages
from haversack.integrations._extras import missing

try:
    from agents.run import CallModelData, ModelInputData
except ImportError as error:  # pragma: no cover - tested in a process of its own
    raise missing("openai-agents", "openai-agents") from error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from haversack.chat._result import MessagePacking


class InputPacking:
    """A `call_model_input_filter`: valid items that fit *budget* tokens, the agent's instructions counted.

    The last selection is kept and appended to while it fits, so that the prompt cache stays warm.
    *settings* are those of `haversack.pack_messages`; `tools=` should be the tools' definitions, as the
    filter is not told them. `packing` holds the last result. One filter serves one conversation at a time.
    """

    def __init__(
        self, budget: int, *, counter: str | Callable[[str], int] | None = None, **settings: Any
    ) -> None:
        self.budget = budget
        self.settings = {**settings, "counter": counter, "form": "responses"}
        self.packing: MessagePacking | None = None

    def __call__(self, data: CallModelData[Any]) -> ModelInputData:
        """Pack the items of one model call."""
        given = data.model_data
        self.packing = pack_messages(
            given.input, self.budget, system=given.instructions, previous=self.packing, **self.settings
        )
        return ModelInputData(input=self.packing.messages, instructions=given.instructions)
