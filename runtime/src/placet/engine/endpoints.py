"""Models behind OpenAI-compatible endpoints."""

from agents import OpenAIChatCompletionsModel
from agents.models.interface import Model
from openai import AsyncOpenAI

from placet.config import Config

__all__ = ["chat_model", "configured_models"]


class _ChatModel(OpenAIChatCompletionsModel):
    """One that owns its client, and so closes it."""

    async def close(self) -> None:
        await self._client.close()


def chat_model(name: str, *, base_url: str | None = None, api_key: str | None = None) -> Model:
    """A model over chat completions, the form that every compatible server has.

    Args:
        api_key: None for an endpoint that needs none.
    """
    client = AsyncOpenAI(base_url=base_url, api_key=api_key if api_key is not None else "none")
    return _ChatModel(model=name, openai_client=client)


def configured_models(config: Config) -> dict[str, Model]:
    """Every model of the configuration, by the name hosts call it."""
    return {
        name: chat_model(
            one.model,
            base_url=one.base_url,
            api_key=one.api_key.reveal() if one.api_key is not None else None,
        )
        for name, one in config.models.items()
    }
