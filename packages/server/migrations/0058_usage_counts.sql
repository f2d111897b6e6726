-- Calls of an organization by day, operation and caller. Each process adds what it counted in memory.
create table usage_counts (
  organization_id uuid not null,
  day date not null,
  operation text not null,
  caller_kind text not null,
  caller_id text not null,
  calls bigint not null,
  failed bigint not null,
  duration_ms bigint not null,
  updated_at timestamptz not null,
  primary key (organization_id, day, operation, caller_kind, caller_id)
);
select swath_tenant_table('usage_counts');
