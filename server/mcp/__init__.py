"""Operations as MCP tools over streamable HTTP."""
