-- Who called which write operation: one row for each call, written in the transaction of its change or directly after it.
-- A periodic task numbers the rows of an organization and seals each with a hash over the one before (docs/decisions/0059).
-- Calls that belong to no organization have the organization 00000000-0000-0000-0000-000000000000.
create table audit_entries (
  organization_id uuid not null,
  -- Sorts by the time at which the call began.
  id uuid not null,
  at timestamptz not null,
  principal_kind text not null,
  principal_id text not null,
  operation text not null,
  target_type text,
  target_id text,
  -- What an administrator gave as the reason.
  reason text,
  request_id text not null,
  address text,
  outcome text not null check (outcome in ('succeeded', 'replayed', 'dry_run', 'refused', 'failed')),
  problem text,
  -- The same for equal refusals of one minute, of which only the first has a row.
  refusal_key text,
  -- The place in the chain, and SHA-256 of the row and of the hash before; null until the row is sealed.
  position bigint,
  hash text,
  primary key (organization_id, id),
  check ((position is null) = (hash is null))
);
create unique index audit_entries_chain on audit_entries (organization_id, position) where position is not null;
create unique index audit_entries_refusals on audit_entries (organization_id, refusal_key) where refusal_key is not null;
create index audit_entries_unsealed on audit_entries (organization_id, at, id) where position is null;
create index audit_entries_target on audit_entries (organization_id, target_id, id) where target_id is not null;
select swath_tenant_table('audit_entries', 'select, insert');
-- What the end of a call or the seal adds. A row that is sealed cannot be updated by the server.
grant update (target_type, target_id, outcome, problem, position, hash) on audit_entries to swath_app, swath_across;
create policy unsealed on audit_entries as restrictive for update to swath_app, swath_across
  using (position is null) with check (true);

-- The end of the chain of each organization. A new chain begins without a row.
create table audit_heads (
  organization_id uuid primary key,
  position bigint not null,
  hash text not null
);
select swath_tenant_table('audit_heads', 'select, insert, update');
