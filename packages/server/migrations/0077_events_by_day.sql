-- Events are partitioned by the UTC day in their id, a UUID of version 7, like the log of delivery attempts (0074), so that whole days are
-- dropped. What was there before is the oldest partition, without being copied. Before a day is dropped, the first event about each entity
-- and the number of events of each kind are kept in two tables.

-- A day that something references cannot be dropped. Deliveries are written with their event, by one statement; those that are still open
-- when their event is dropped are ended first.
alter table event_deliveries drop constraint event_deliveries_organization_id_event_id_fkey;

alter table events rename to events_before;
alter index events_pkey rename to events_before_pkey;
alter index events_entity rename to events_before_entity;
alter index events_not_numbered rename to events_before_not_numbered;
alter index events_project rename to events_before_project;
-- A unique index must have the key of the partitions. Numbers are unique because the row of event_sequences is locked to give them.
drop index events_sequence;

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
  project_id uuid,
  sequence bigint,
  primary key (organization_id, id)
) partition by range (id);
create index events_entity on events (organization_id, entity_type, entity_id);
create index events_not_numbered on events (organization_id, id) where sequence is null;
create index events_project on events (organization_id, project_id, id desc) where project_id is not null;
create index events_sequence on events (organization_id, sequence);
select swath_tenant_table('events', 'select, insert');
grant update (sequence) on events to swath_app;

create table events_default partition of events default;
select swath_close_partition('events_default');

-- No event with a lower id will need a number any more, so that earlier days are not read to find those that do; null if that is not known.
alter table event_sequences add column numbered_until uuid;

-- The first event about each entity whose day was dropped: it says who created the entity, and when.
create table first_events (
  organization_id uuid not null,
  entity_type text not null,
  entity_id text not null,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, entity_type, entity_id)
);
select swath_tenant_table('first_events', 'select, insert');

-- How many events of dropped days there were: by kind, and by the UTC day of created_at, which in a sandbox is not that of the id.
create table event_counts (
  organization_id uuid not null,
  day date not null,
  kind text not null,
  count bigint not null,
  primary key (organization_id, day, kind)
);
select swath_tenant_table('event_counts', 'select, insert, update');

-- The logs that have a partition for each day. The functions below refuse every other table, so that no caller drops partitions of one.
create function swath_logs_by_day() returns text[]
language sql immutable parallel safe
as $$
  select array['event_delivery_attempts', 'events']
$$;

-- The column with the UUID of version 7 by which a log is partitioned.
create function swath_day_key(table_name text) returns text
language plpgsql stable
set search_path = pg_catalog, public, pg_temp
as $$
declare
  key_column text;
begin
  select a.attname into key_column
  from pg_partitioned_table p
  join pg_class c on c.oid = p.partrelid
  join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0]
  where c.relnamespace = 'public'::regnamespace and c.relname = table_name and c.relname = any (public.swath_logs_by_day())
    and p.partstrat = 'r' and p.partnatts = 1 and a.atttypid = 'uuid'::regtype;
  if key_column is null then
    raise exception '% is not a log with a partition for each day', coalesce(quote_ident(table_name), 'null');
  end if;
  return key_column;
end
$$;

create function swath_day_partition(table_name text, day date) returns text
language sql immutable parallel safe
as $$
  select table_name || to_char(day, '_YYYYMMDD')
$$;

-- Creates the partitions of today and of the next days, and of each day that the default partition has rows of, which move there. Returns
-- how many. Processes of the service call it, which do not own the tables. A table that is busy is left for the next call.
create function swath_create_days(table_name text, days_ahead integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '5s'
as $$
declare
  key_column constant text := public.swath_day_key(table_name);
  default_partition constant text := table_name || '_default';
  today constant date := (statement_timestamp() at time zone 'UTC')::date;
  days date[];
  found_days date[];
  partition_day date;
  partition_name text;
  created integer := 0;
  has_rows constant boolean := pg_relation_size(format('public.%I', default_partition)::regclass) > 0;
begin
  if days_ahead is null or days_ahead not between 0 and 31 then
    raise exception 'partitions are created for 0 to 31 days ahead';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('days of ' || table_name, 0));
  days := array(select today + n from generate_series(0, days_ahead) n);
  if has_rows then
    -- The owner sees the rows while it holds the lock that this takes.
    execute format('alter table public.%I no force row level security', default_partition);
    execute format(
      'select array(select distinct public.swath_day_of_id(%1$I) from public.%2$I where %1$I >= %3$L and %1$I < %4$L)',
      key_column, default_partition, public.swath_first_id(today - 366), public.swath_first_id(today + days_ahead + 1))
      into found_days;
    days := days || found_days;
  end if;
  foreach partition_day in array days
  loop
    partition_name := public.swath_day_partition(table_name, partition_day);
    continue when to_regclass(format('public.%I', partition_name)) is not null;
    execute format(
      'create table public.%I (like public.%I including defaults including constraints including indexes)', partition_name, table_name);
    if has_rows then
      execute format(
        'with moved as (
           delete from public.%5$I where %4$I >= %2$L and %4$I < %3$L returning *
         )
         insert into public.%1$I select * from moved',
        partition_name, public.swath_first_id(partition_day), public.swath_first_id(partition_day + 1), key_column,
        default_partition);
    end if;
    perform public.swath_close_partition(partition_name);
    execute format(
      'alter table public.%I attach partition public.%I for values from (%L) to (%L)',
      table_name, partition_name, public.swath_first_id(partition_day), public.swath_first_id(partition_day + 1));
    created := created + 1;
  end loop;
  if has_rows then
    execute format('alter table public.%I force row level security', default_partition);
  end if;
  return created;
end
$$;
revoke execute on function swath_create_days(text, integer) from public;
grant execute on function swath_create_days(text, integer) to swath_across;

-- The first of the days that are kept.
create function swath_first_kept_day(kept_days integer) returns date
language plpgsql stable
set search_path = pg_catalog, public, pg_temp
as $$
begin
  if kept_days is null or kept_days < 1 then
    raise exception 'a day that is not over cannot be dropped';
  end if;
  return (statement_timestamp() at time zone 'UTC')::date - kept_days;
end
$$;

-- Keeps what is read of events for ever, before those with lower ids are dropped by the same transaction. It runs as its caller: the owner
-- would see the rows only under a lock that all readers wait for, as long as they are added up.
create function swath_keep_of_events(first_kept uuid) returns void
language plpgsql
set search_path = pg_catalog, public, pg_temp
as $$
begin
  if not pg_has_role(current_user, 'swath_across', 'usage') then
    raise exception '% does not see the events of all organizations: set role swath_across', current_user;
  end if;
  -- Days are dropped oldest first, so what is there already is older.
  insert into public.first_events (organization_id, entity_type, entity_id, actor_kind, actor_id, created_at)
  select distinct on (organization_id, entity_type, entity_id)
    organization_id, entity_type, entity_id, actor_kind, actor_id, created_at
  from public.events where id < first_kept
  order by organization_id, entity_type, entity_id, id
  on conflict (organization_id, entity_type, entity_id) do nothing;

  insert into public.event_counts as counted (organization_id, day, kind, count)
  select organization_id, (created_at at time zone 'UTC')::date, kind, count(*)
  from public.events where id < first_kept
  group by 1, 2, 3
  on conflict (organization_id, day, kind) do update set count = counted.count + excluded.count;

  perform set_config('swath.events_kept', format('%s %s', pg_current_xact_id(), first_kept), true);
end
$$;
revoke execute on function swath_keep_of_events(uuid) from public;
grant execute on function swath_keep_of_events(uuid) to swath_across;

-- What of swath_drop_days only the owner may do. Events are refused unless the same transaction has kept what must be kept of them.
create function swath_drop_partitions(table_name text, first_kept date) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '5s'
as $$
declare
  key_column constant text := public.swath_day_key(table_name);
  default_partition constant text := table_name || '_default';
  partition_name text;
  dropped integer := 0;
begin
  if first_kept is null or first_kept > public.swath_first_kept_day(1) then
    raise exception 'a day that is not over cannot be dropped';
  end if;
  if table_name = 'events'
    and current_setting('swath.events_kept', true)
      is distinct from format('%s %s', pg_current_xact_id(), public.swath_first_id(first_kept))
  then
    raise exception 'days of events are dropped by swath_drop_days, which keeps the first events and the counts';
  end if;
  -- By their bounds, as what is kept of events: FOR VALUES FROM (MINVALUE) TO ('01a21f73-9c00-0000-0000-000000000000').
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = format('public.%I', table_name)::regclass
      and substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \(''([0-9a-f-]{36})''\)$')::uuid <= public.swath_first_id(first_kept)
    order by 1
  loop
    execute format('drop table public.%I', partition_name);
    dropped := dropped + 1;
  end loop;
  if pg_relation_size(format('public.%I', default_partition)::regclass) > 0 then
    execute format('alter table public.%I no force row level security', default_partition);
    execute format('delete from public.%I where %I < %L', default_partition, key_column, public.swath_first_id(first_kept));
    execute format('alter table public.%I force row level security', default_partition);
  end if;
  return dropped;
end
$$;
revoke execute on function swath_drop_partitions(text, date) from public;
grant execute on function swath_drop_partitions(text, date) to swath_across;

-- Drops the partitions of the days that ended more than so many days ago, and deletes older rows of the default partition. Returns how many
-- partitions. One transaction: a call that is cut off has changed nothing, and the next one repeats it.
create function swath_drop_days(table_name text, kept_days integer) returns integer
language plpgsql
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '5s'
as $$
declare
  first_kept constant date := public.swath_first_kept_day(kept_days);
begin
  perform public.swath_day_key(table_name);
  perform pg_advisory_xact_lock(hashtextextended('days of ' || table_name, 0));
  if table_name = 'events' then
    perform public.swath_keep_of_events(public.swath_first_id(first_kept));
  end if;
  return public.swath_drop_partitions(table_name, first_kept);
end
$$;
revoke execute on function swath_drop_days(text, integer) from public;
grant execute on function swath_drop_days(text, integer) to swath_across;

-- For the previous version. The locks of the log of attempts have the same name as before.
create or replace function swath_create_attempt_days(days_ahead integer) returns integer
language sql security definer
set search_path = pg_catalog, public, pg_temp
as $$
  select public.swath_create_days('event_delivery_attempts', days_ahead)
$$;

create or replace function swath_drop_attempt_days(kept_days integer) returns integer
language sql security definer
set search_path = pg_catalog, public, pg_temp
as $$
  select public.swath_drop_days('event_delivery_attempts', kept_days)
$$;

-- The partition of all that was written before has the name of its last day, and is dropped like that day.
do $$
declare
  today date := (statement_timestamp() at time zone 'UTC')::date;
  partition_name text := swath_day_partition('events', today);
begin
  alter table events_before no force row level security;
  alter table events_default no force row level security;
  if not exists (select from events_before) then
    drop table events_before;
  else
    with moved as (delete from events_before where id >= swath_first_id(today + 1) returning *)
    insert into events_default
      (organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at, project_id, sequence)
    select organization_id, id, kind, entity_type, entity_id, data, actor_kind, actor_id, operation, request_id, created_at, project_id, sequence
    from moved;
    drop policy tenant on events_before;
    drop policy across on events_before;
    comment on table events_before is null;
    perform swath_close_partition('events_before');
    execute format('alter table events_before rename to %I', partition_name);
    execute format(
      'alter table events attach partition %I for values from (minvalue) to (%L)', partition_name, swath_first_id(today + 1));
  end if;
  alter table events_default force row level security;
  perform swath_create_days('events', 3);
end
$$;
