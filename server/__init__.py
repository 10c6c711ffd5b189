"""Principals and operations, rendered as REST and MCP."""
