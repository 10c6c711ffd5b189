"""Principals and operations, declared once and rendered as REST, MCP and command line."""
