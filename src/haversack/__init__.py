"""Pack an LLM context: the most valuable snippets that fit, with a proof."""
