"""What the log asks PostgreSQL about tokens and recovery codes. Ended tokens are rung for."""

from typing import Final

from fathom.server.postgres_statements import MILLISECONDS

ADD_PLAYER: Final = """
with device as (
    insert into tokens (token, who, id, device, scope) values ($5, $1::text, $6, $7, $8)
)
insert into players (who, name, recovery, recoverable) values ($1::text, $2, $3, $4::smallint)
"""
ADD_TOKENS: Final = """
insert into tokens (token, who, id, device, scope) values ($1, $2, $3, $4, $5)
"""
END_TOKENS: Final = """
with ended as (
    delete from tokens
    where who = $1::text and ($2::text = '' or id = $2::text) and id != $3::text returning id
),
noted as (insert into changes (names) select $4::text where exists (select 1 from ended)),
bell as materialized (
    select pg_notify('fathom', $4::text) where exists (select 1 from ended)
)
select id from ended cross join bell
"""
SET_RECOVERY: Final = """
update players set recovery = $2::bytea, recoverable = 1
where who = $1::text and (
    ($3::bytea is null and recoverable = 0) or (recovery = $3::bytea and recoverable = 1)
)
returning who
"""
USE_TOKENS: Final = f"update tokens set used = {MILLISECONDS} where id = any($1::text[])"  # noqa: S608
