-- Organizations for tests of integrations: their time stands still until it is advanced, and their credits are play money.
-- The version of the id marks them, so that no organization can become one or cease to be one.
create function swath_is_sandbox(organization uuid) returns boolean
language sql immutable parallel safe
return substr(organization::text, 15, 1) = '8';

create table sandboxes (
  organization_id uuid not null primary key check (swath_is_sandbox(organization_id)),
  -- The same seed and the same calls give the same events.
  seed text not null,
  now timestamptz not null,
  created_at timestamptz not null,
  -- Resets so far.
  resets integer not null default 0,
  -- The call that advances the clock or resets the sandbox, by the time of the processes; one at a time.
  lease_id uuid,
  lease_until timestamptz
);
select swath_tenant_table('sandboxes');

-- The background tasks of sandbox organizations, which run one after the other while the clock is advanced.
create table sandbox_tasks (
  organization_id uuid not null,
  -- In the order of creation.
  id uuid not null,
  name text not null,
  data jsonb not null,
  singleton_key text not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  primary key (organization_id, id)
);
create unique index sandbox_tasks_key on sandbox_tasks (organization_id, name, singleton_key);
create index sandbox_tasks_due on sandbox_tasks (organization_id, due_at, id);
select swath_tenant_table('sandbox_tasks');

-- How hosts and banks behave towards a sandbox organization, oldest first.
create table sandbox_scenarios (
  organization_id uuid not null,
  -- In the order of creation.
  id uuid not null,
  kind text not null,
  -- Null: any host.
  host text,
  parameters jsonb not null,
  -- How many more times it applies.
  remaining integer not null check (remaining >= 0),
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index sandbox_scenarios_open on sandbox_scenarios (organization_id, kind, id) where remaining > 0;
select swath_tenant_table('sandbox_scenarios');

-- What was decided for an order when it was placed with its host.
create table sandbox_host_orders (
  organization_id uuid not null,
  host text not null,
  reference text not null,
  ready_at timestamptz,
  missing_scenes integer not null default 0,
  refusal text,
  wrong_checksums integer not null default 0,
  primary key (organization_id, host, reference)
);
select swath_tenant_table('sandbox_host_orders');

-- Set for events of sandbox organizations, which are delivered while their clock is advanced.
alter table processor_events add column sandbox_id uuid;
create index processor_events_sandbox on processor_events (sandbox_id, next_at) where next_at is not null;
