-- Street A, the records: idempotency claims, events and their deliveries, provenance, the ledger.

create table idempotency_claims (
  organization_id uuid not null,
  operation text collate "C" not null,
  key text collate "C" not null,
  body_hash text not null,
  holder uuid not null,
  recovery_point text not null default 'claimed',
  recovery_data jsonb not null default '{}',
  response jsonb,
  locked_at timestamptz default statement_timestamp(),
  created_at timestamptz not null default statement_timestamp(),
  primary key (organization_id, operation, key)
);
select swath_tenant_table('idempotency_claims');

create table event_subscriptions (
  organization_id uuid not null,
  id uuid not null,
  event_type text not null,
  endpoint_url text not null,
  filter_config jsonb not null default '{}',
  headers jsonb not null default '{}',
  description text,
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index event_subscriptions_type on event_subscriptions (organization_id, event_type) where active;
select swath_tenant_table('event_subscriptions');

create table events (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  entity_type text not null,
  entity_id text not null,
  data jsonb not null,
  actor_kind text not null,
  actor_id text not null,
  operation text not null,
  request_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index events_entity on events (organization_id, entity_type, entity_id);
select swath_tenant_table('events', 'select, insert');

create table event_deliveries (
  organization_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  subscription_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'delivering', 'succeeded', 'retrying', 'dead', 'cancelled')),
  attempts integer not null default 0,
  next_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, event_id, subscription_id),
  foreign key (organization_id, event_id) references events (organization_id, id),
  foreign key (organization_id, subscription_id) references event_subscriptions (organization_id, id) on delete cascade
);
select swath_tenant_table('event_deliveries');

create table provenance_edges (
  organization_id uuid not null,
  src_type text not null,
  src_id text collate "C" not null,
  dst_type text not null,
  dst_id text collate "C" not null,
  relation text not null,
  invocation_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, src_type, src_id, dst_type, dst_id, relation)
);
create index provenance_edges_down on provenance_edges (organization_id, dst_type, dst_id);
select swath_tenant_table('provenance_edges', 'select, insert');

-- What was deleted, so that lineage can still be read over it.
create table provenance_tombstones (
  organization_id uuid not null,
  entity_type text not null,
  entity_id text collate "C" not null,
  deleted_at timestamptz not null,
  primary key (organization_id, entity_type, entity_id)
);
select swath_tenant_table('provenance_tombstones');

-- The ledger. Every posting belongs to an entry, every entry sums to zero, nothing is changed afterwards.
create table ledger_accounts (
  organization_id uuid not null,
  name text collate "C" not null,
  balance_credits bigint not null,
  primary key (organization_id, name),
  check (name not in ('wallet.available', 'wallet.held') or balance_credits >= 0)
);
select swath_tenant_table('ledger_accounts', 'select, insert, update');

create table credit_lots (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  priority integer not null,
  expires_at timestamptz,
  granted_credits bigint not null check (granted_credits > 0),
  available_credits bigint not null check (available_credits >= 0),
  held_credits bigint not null default 0 check (held_credits >= 0),
  captured_credits bigint not null default 0 check (captured_credits >= 0),
  expired_credits bigint not null default 0 check (expired_credits >= 0),
  refunded_credits bigint not null default 0 check (refunded_credits >= 0),
  created_at timestamptz not null,
  primary key (organization_id, id),
  check (granted_credits = available_credits + held_credits + captured_credits + expired_credits + refunded_credits)
);
create index credit_lots_open on credit_lots (organization_id, priority, expires_at, created_at) where available_credits > 0;
select swath_tenant_table('credit_lots', 'select, insert, update');

create table credit_holds (
  organization_id uuid not null,
  id uuid not null,
  amount_credits bigint not null check (amount_credits > 0),
  reference_type text not null,
  reference_id text collate "C" not null,
  user_id uuid,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index credit_holds_reference on credit_holds (organization_id, reference_type, reference_id);
select swath_tenant_table('credit_holds', 'select, insert');

create table credit_hold_lots (
  organization_id uuid not null,
  hold_id uuid not null,
  lot_id uuid not null,
  amount_credits bigint not null check (amount_credits > 0),
  primary key (organization_id, hold_id, lot_id),
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id),
  foreign key (organization_id, lot_id) references credit_lots (organization_id, id)
);
select swath_tenant_table('credit_hold_lots', 'select, insert');

-- The primary key is the rule that a hold is resolved exactly once.
create table credit_hold_resolutions (
  organization_id uuid not null,
  hold_id uuid not null,
  outcome text not null check (outcome in ('settled', 'released')),
  settled_credits bigint not null check (settled_credits >= 0),
  released_credits bigint not null check (released_credits >= 0),
  created_at timestamptz not null,
  primary key (organization_id, hold_id),
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id)
);
select swath_tenant_table('credit_hold_resolutions', 'select, insert');

create table journal_entries (
  organization_id uuid not null,
  id uuid not null,
  position bigint not null,
  kind text not null,
  amount_credits bigint not null,
  available_after_credits bigint not null,
  held_after_credits bigint not null,
  reference_type text not null,
  reference_id text collate "C" not null,
  hold_id uuid,
  actor_kind text not null,
  actor_id text not null,
  operation text not null,
  request_id text not null,
  note text,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, position),
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id)
);
select swath_tenant_table('journal_entries', 'select, insert');

create table journal_postings (
  organization_id uuid not null,
  entry_id uuid not null,
  line integer not null,
  account text collate "C" not null,
  lot_id uuid,
  amount_credits bigint not null check (amount_credits <> 0),
  primary key (organization_id, entry_id, line),
  foreign key (organization_id, entry_id) references journal_entries (organization_id, id),
  foreign key (organization_id, lot_id) references credit_lots (organization_id, id)
);
select swath_tenant_table('journal_postings', 'select, insert');

-- The owner of the schema is refused, too: a correction is a new entry.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger journal_entries_immutable before update or delete on journal_entries
  for each row execute function refuse_change();
create trigger journal_postings_immutable before update or delete on journal_postings
  for each row execute function refuse_change();
