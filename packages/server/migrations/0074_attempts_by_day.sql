-- The log of delivery attempts is partitioned by the UTC day in the id of an attempt, a UUID of version 7, so that the primary key stays
-- as it is and whole days are dropped when they are over. What was there before is the oldest partition, without being copied.
--
-- Nothing references attempts. Their own foreign key is dropped: its cascade would look for attempts in every partition whenever a
-- delivery is deleted. Attempts are found by their delivery alone, so those of a deleted one are not seen until their day is dropped.
alter table event_delivery_attempts drop constraint event_delivery_attempts_organization_id_delivery_id_fkey;
alter table event_delivery_attempts rename to event_delivery_attempts_before;
alter index event_delivery_attempts_pkey rename to event_delivery_attempts_before_pkey;
alter index event_delivery_attempts_delivery rename to event_delivery_attempts_before_delivery;

create table event_delivery_attempts (
  organization_id uuid not null,
  id uuid not null,
  delivery_id uuid not null,
  endpoint_url text not null,
  is_delivered boolean not null,
  http_status integer,
  error text,
  response_headers jsonb not null,
  response_body text,
  started_at timestamptz not null,
  duration_ms integer not null,
  primary key (organization_id, id)
) partition by range (id);
create index event_delivery_attempts_delivery on event_delivery_attempts (organization_id, delivery_id, started_at);
select swath_tenant_table('event_delivery_attempts', 'select, insert');

-- Partitions are reached through the table, whose policies and privileges apply; nobody may read one directly.
create function swath_close_partition(partition_name text) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  execute format('alter table public.%I enable row level security', partition_name);
  execute format('alter table public.%I force row level security', partition_name);
  execute format('revoke all on table public.%I from public, swath_app, swath_across', partition_name);
end
$$;
revoke execute on function swath_close_partition(text) from public;

-- Takes rows of days that have no partition yet, so that no insert fails: after a stop of weeks, and with ids of the future.
create table event_delivery_attempts_default partition of event_delivery_attempts default;
select swath_close_partition('event_delivery_attempts_default');

-- The smallest id of a day: 48 bits of Unix milliseconds, then zeros.
create function swath_first_id(day date) returns uuid
language sql immutable parallel safe
as $$
  select (lpad(to_hex((extract(epoch from day::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create function swath_day_of_id(id uuid) returns date
language sql immutable parallel safe
as $$
  select (timestamp 'epoch' + ('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint * interval '1 millisecond')::date
$$;

create function swath_attempt_partition(day date) returns text
language sql immutable parallel safe
as $$
  select 'event_delivery_attempts_' || to_char(day, 'YYYYMMDD')
$$;

-- Creates the partitions of today and of the next days, and of each day that the default partition has rows of, which move there. Returns
-- how many. Processes of the service call it, which do not own the tables. A table that is busy is left for the next call.
create function swath_create_attempt_days(days_ahead integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '5s'
as $$
declare
  today date := (statement_timestamp() at time zone 'UTC')::date;
  days date[] := array(select today + n from generate_series(0, days_ahead) n);
  partition_day date;
  partition_name text;
  created integer := 0;
  has_rows boolean := pg_relation_size('public.event_delivery_attempts_default') > 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('days of event_delivery_attempts', 0));
  if has_rows then
    -- The owner sees the rows while it holds the lock that this takes.
    alter table public.event_delivery_attempts_default no force row level security;
    days := days || array(
      select distinct public.swath_day_of_id(id) from public.event_delivery_attempts_default
      where id >= public.swath_first_id(today - 366) and id < public.swath_first_id(today + days_ahead + 1));
  end if;
  foreach partition_day in array days
  loop
    partition_name := public.swath_attempt_partition(partition_day);
    continue when to_regclass(format('public.%I', partition_name)) is not null;
    execute format('create table public.%I (like public.event_delivery_attempts including indexes)', partition_name);
    if has_rows then
      execute format(
        'with moved as (
           delete from public.event_delivery_attempts_default where id >= %2$L and id < %3$L returning *
         )
         insert into public.%1$I select * from moved',
        partition_name, public.swath_first_id(partition_day), public.swath_first_id(partition_day + 1));
    end if;
    perform public.swath_close_partition(partition_name);
    execute format(
      'alter table public.event_delivery_attempts attach partition public.%I for values from (%L) to (%L)',
      partition_name, public.swath_first_id(partition_day), public.swath_first_id(partition_day + 1));
    created := created + 1;
  end loop;
  if has_rows then
    alter table public.event_delivery_attempts_default force row level security;
  end if;
  return created;
end
$$;
revoke execute on function swath_create_attempt_days(integer) from public;
grant execute on function swath_create_attempt_days(integer) to swath_across;

-- Drops the partitions of the days that ended more than so many days ago, and deletes older rows of the default partition. Returns how many
-- partitions.
create function swath_drop_attempt_days(kept_days integer) returns integer
language plpgsql security definer
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '5s'
as $$
declare
  first_kept date := (statement_timestamp() at time zone 'UTC')::date - kept_days;
  partition_name text;
  dropped integer := 0;
begin
  if kept_days < 1 then
    raise exception 'a day that is not over cannot be dropped';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('days of event_delivery_attempts', 0));
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.event_delivery_attempts'::regclass and c.relname ~ '_[0-9]{8}$'
      and c.relname::text < public.swath_attempt_partition(first_kept)
    order by 1
  loop
    execute format('drop table public.%I', partition_name);
    dropped := dropped + 1;
  end loop;
  if pg_relation_size('public.event_delivery_attempts_default') > 0 then
    alter table public.event_delivery_attempts_default no force row level security;
    delete from public.event_delivery_attempts_default where id < public.swath_first_id(first_kept);
    alter table public.event_delivery_attempts_default force row level security;
  end if;
  return dropped;
end
$$;
revoke execute on function swath_drop_attempt_days(integer) from public;
grant execute on function swath_drop_attempt_days(integer) to swath_across;

-- The partition of all that was written before has the name of its last day, which is the day on which it is dropped like any other.
do $$
declare
  today date := (statement_timestamp() at time zone 'UTC')::date;
  partition_name text := swath_attempt_partition(today);
begin
  alter table event_delivery_attempts_before no force row level security;
  alter table event_delivery_attempts_default no force row level security;
  if not exists (select from event_delivery_attempts_before) then
    drop table event_delivery_attempts_before;
  else
    with moved as (delete from event_delivery_attempts_before where id >= swath_first_id(today + 1) returning *)
    insert into event_delivery_attempts_default select * from moved;
    drop policy tenant on event_delivery_attempts_before;
    drop policy across on event_delivery_attempts_before;
    comment on table event_delivery_attempts_before is null;
    perform swath_close_partition('event_delivery_attempts_before');
    execute format('alter table event_delivery_attempts_before rename to %I', partition_name);
    execute format(
      'alter table event_delivery_attempts attach partition %I for values from (minvalue) to (%L)', partition_name,
      swath_first_id(today + 1));
  end if;
  alter table event_delivery_attempts_default force row level security;
  perform swath_create_attempt_days(3);
end
$$;
