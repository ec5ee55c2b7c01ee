"""The cases that need a feature which is not built yet. Building it means deleting its rows."""

WAITING = {
    # sections and their caps
    "R62": "section",
    "R68": "sections",
    "R69": "sections",
    "R70": "sections",
    # several forms of one snippet
    "R64": "variants",
    "R65": "variants",
    "R66": "variants",
    # all or none
    "R72": "group",
    # counting and rendering text
    "R11": "text",
    "R12": "text",
    "R13": "text",
    "R15": "text",
    "R40": "text",
    "R42": "text",
    "R44": "text",
    "R45": "text",
    "R78": "text",
    "R79": "text",
    "R84": "text",
}

WAITING_PARTS = {"recount_max": "text"}
"""Parts of an expectation that wait although the rest of the case runs."""
