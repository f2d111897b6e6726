-- Deliveries that ended leave the queue for a log, which is partitioned by the UTC day in the UUID of version 7 that an entry gets then. The
-- queue has open deliveries only, so that a claim does not depend on how many there were, and whole days of the log are dropped.
-- What ended before is the oldest partition of the log, without being copied: the table of before, less its few open deliveries.
--
-- A log has no foreign keys: entries of a deleted subscription are not shown, and go with their day.
alter table event_deliveries rename to event_delivery_log_before;
alter index event_deliveries_pkey rename to event_delivery_log_before_pkey;
alter index event_deliveries_organization_id_event_id_subscription_id_key rename to event_delivery_log_before_key;
alter index event_deliveries_dead rename to event_delivery_log_before_dead;
alter index event_deliveries_due rename to event_delivery_log_before_due;
alter index event_deliveries_finished rename to event_delivery_log_before_finished;
alter index event_deliveries_in_progress rename to event_delivery_log_before_in_progress;
alter index event_deliveries_newest rename to event_delivery_log_before_newest;

create table event_deliveries (
  organization_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  subscription_id uuid not null,
  state text not null default 'pending'
    check (state in ('pending', 'delivering', 'succeeded', 'retrying', 'dead', 'cancelled')),
  attempts integer not null default 0,
  next_at timestamptz,
  created_at timestamptz not null,
  scheduled_at timestamptz not null,
  attempt_id uuid,
  -- Set by the previous version alone, which leaves what ended in the queue until a sweep moves it.
  finished_at timestamptz,
  sequence bigint,
  primary key (organization_id, id),
  unique (organization_id, event_id, subscription_id),
  foreign key (organization_id, subscription_id) references event_subscriptions (organization_id, id) on delete cascade
);
create index event_deliveries_due on event_deliveries (organization_id, subscription_id, next_at) where next_at is not null;
create index event_deliveries_finished on event_deliveries (organization_id, finished_at) where finished_at is not null;
create index event_deliveries_in_progress on event_deliveries (organization_id, subscription_id, next_at) where state = 'delivering';
create index event_deliveries_newest on event_deliveries (organization_id, subscription_id, created_at desc, id desc);
select swath_tenant_table('event_deliveries');

create table event_delivery_log (
  organization_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  subscription_id uuid not null,
  state text not null,
  attempts integer not null,
  created_at timestamptz not null,
  scheduled_at timestamptz not null,
  attempt_id uuid,
  finished_at timestamptz,
  sequence bigint,
  log_id uuid not null,
  primary key (organization_id, id, log_id)
) partition by range (log_id);
create index event_delivery_log_dead on event_delivery_log (organization_id, finished_at) where state = 'dead';
create index event_delivery_log_newest on event_delivery_log (organization_id, subscription_id, created_at desc, id desc);
select swath_tenant_table('event_delivery_log');

create or replace function swath_logs_by_day() returns text[]
language sql immutable parallel safe
as $$
  select array['event_delivery_attempts', 'event_delivery_log', 'events']
$$;

create table event_delivery_log_default partition of event_delivery_log default;
select swath_close_partition('event_delivery_log_default');

do $$
declare
  today date := (statement_timestamp() at time zone 'UTC')::date;
  partition_name text := swath_day_partition('event_delivery_log', today);
begin
  alter table event_delivery_log_before no force row level security;
  alter table event_deliveries no force row level security;
  with open as (delete from event_delivery_log_before where finished_at is null returning *)
  insert into event_deliveries
    (organization_id, id, event_id, subscription_id, state, attempts, next_at, created_at, scheduled_at, attempt_id, sequence)
  select organization_id, id, event_id, subscription_id, state, attempts, next_at, created_at, scheduled_at, attempt_id, sequence from open;
  alter table event_deliveries force row level security;
  if not exists (select from event_delivery_log_before) then
    drop table event_delivery_log_before;
  else
    alter table event_delivery_log_before drop constraint event_deliveries_organization_id_subscription_id_fkey;
    alter table event_delivery_log_before drop constraint event_deliveries_state_check;
    alter table event_delivery_log_before drop constraint event_delivery_log_before_key;
    alter table event_delivery_log_before drop constraint event_delivery_log_before_pkey;
    alter table event_delivery_log_before drop column next_at;
    -- All of them ended today at the latest. A constant default is stored once.
    execute format('alter table event_delivery_log_before add column log_id uuid not null default %L', swath_first_id(today));
    alter table event_delivery_log_before alter column log_id drop default;
    drop index event_delivery_log_before_finished;
    drop policy tenant on event_delivery_log_before;
    drop policy across on event_delivery_log_before;
    comment on table event_delivery_log_before is null;
    perform swath_close_partition('event_delivery_log_before');
    execute format('alter table event_delivery_log_before rename to %I', partition_name);
    execute format(
      'alter table event_delivery_log attach partition %I for values from (minvalue) to (%L)', partition_name,
      swath_first_id(today + 1));
  end if;
  perform swath_create_days('event_delivery_log', 3);
end
$$;
