"""Structure: forms, groups, requirements, alternatives, sections, tiers."""
