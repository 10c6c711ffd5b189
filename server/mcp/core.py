"""The tools that every agent is told of from the start. Each costs room in every session, so the rest is looked for.

What is not named here has a tool all the same: `search_capabilities` finds it and `execute_capability` runs it, and who
asks for `/mcp?tools=all` has all of them listed.
"""

from __future__ import annotations

CORE = frozenset(
    {
        # What is known, from a question to its evidence.
        *("bootstrap_session", "search_memory", "open_memory", "open_evidence", "trace", "list_projects"),
        # Facts and events: read, told, put right.
        *("list_facts", "get_fact", "edit_fact", "retire_fact", "list_events", "record_event"),
        # What happened.
        *("get_recent_history", "list_sessions", "get_session", "get_file_history"),
        # What is kept on purpose.
        *("remember", "recall", "forget", "postMemory", "getMemorySearch", "getMemory", "deleteMemoryById"),
        # Planned work.
        *("list_work_items", "get_item_by_number", "get_work_item_history", "update_work_item"),
        *("create_entity", "add_work_log"),
    }
)
