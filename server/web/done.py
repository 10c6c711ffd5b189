"""What a page says after a form was sent: the address carries a word of this list, never a sentence."""

from __future__ import annotations

SAYINGS = {
    "retired": "Retired. It is in the history and can be restored.",
    "restored": "Restored. The current view is as it was before.",
    "confirmed": "Confirmed. It now counts as a person's word.",
    "pinned": "Pinned. Nothing replaces it without a review.",
    "unpinned": "Unpinned.",
    "edited": "Saved. The old wording is in the history.",
    "accepted": "Accepted. The proposal is in force.",
    "rejected": "Rejected.",
    "stands": "The fact stands. The same proposal comes back only with newer evidence.",
    "approved": "Approved. It has its number now.",
    "merged": "Merged.",
    "moved": "Moved.",
    "saved": "Saved.",
    "undone": "Undone. The memory is as it was.",
    "too-late": "It was too late to undo: the memory is deleted.",
    "again": "The session is distilled again shortly.",
    "created": "Created.",
    "revoked": "Revoked. Whoever used it is signed out.",
    "noted": "Noted under what was done.",
    "read": "Everything new was read; what asks for work is below.",
    "more": "Much is new: a part of it was read. Look again for the rest.",
    "forgotten": "Forgotten for good.",
    "out": "You are signed out.",
    "nothing": "Nothing was chosen.",
}
