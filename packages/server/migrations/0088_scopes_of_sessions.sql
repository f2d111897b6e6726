-- The scopes that a client asked for. Null in sessions of before, whose tokens have all scopes of their user or key, and in codes of a
-- request that names no scope of a resource.
alter table sessions add column scopes text[];
alter table authorization_codes add column scopes text[];
alter table device_codes add column scopes text[];
