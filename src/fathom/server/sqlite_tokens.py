"""What the log asks SQLite about tokens and recovery codes."""

from typing import Final

ADD_PLAYER: Final = """
insert into players (who, name, recovery, recoverable, seen) values (?, ?, ?, ?, ?)
"""
ADD_TOKENS: Final = """
insert into tokens (token, who, id, device, scope, created, used)
values (?1, ?2, ?3, ?4, ?5, ?6, ?6)
"""
CHOSEN_TOKENS: Final = """
select id from tokens where who = ?1 and (?2 = '' or id = ?2) and id != ?3
"""
SET_RECOVERY: Final = """
update players set recovery = ?2, recoverable = 1
where who = ?1 and ((?3 is null and not recoverable) or (recovery = ?3 and recoverable))
"""
