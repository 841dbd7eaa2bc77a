"""Learning from use (spec 002, 自进化系统): what experiences did, which problems come back, which skills follow.

The append-only logs below `evolution/` are the truth; everything shown is worked out from them, and from the sessions
that nobody has heard yet. Policies are functions of events and a clock; what writes goes through the vault.
"""
