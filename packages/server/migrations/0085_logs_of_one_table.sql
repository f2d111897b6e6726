-- A log may also be one table without partitions, as Citus has it: a partition for each day would be a table on every shard. Its rows are
-- deleted by the hour instead of dropped by the day.

-- The column with the UUID of version 7 that says the day: the last one of the primary key.
create or replace function swath_day_key(table_name text) returns text
language plpgsql stable
set search_path = pg_catalog, public, pg_temp
as $$
declare
  key_column text;
begin
  select a.attname into key_column
  from pg_class c
  join pg_index x on x.indrelid = c.oid and x.indisprimary
  join pg_attribute a on a.attrelid = c.oid and a.attnum = x.indkey[x.indnkeyatts - 1]
  where c.relnamespace = 'public'::regnamespace and c.relname = table_name and c.relname = any (public.swath_logs_by_day())
    and a.atttypid = 'uuid'::regtype;
  if key_column is null then
    raise exception '% is not a log with a partition for each day', coalesce(quote_ident(table_name), 'null');
  end if;
  return key_column;
end
$$;

create function swath_has_days(table_name text) returns boolean
language sql stable
set search_path = pg_catalog, public, pg_temp
as $$
  select exists (
    select 1 from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname = table_name and c.relkind = 'p')
$$;

-- Makes a log one table, and copies what it has. The owner of the schema calls it before the table is distributed.
create function swath_join_days(table_name text) returns void
language plpgsql
set search_path = pg_catalog, public, pg_temp
set row_security = off
as $$
declare
  key_column constant text := public.swath_day_key(table_name);
  log regclass;
  definitions text[];
  grants text[];
  statement text;
begin
  -- First: another call that is joining it replaces the table.
  execute format('lock table public.%I in access exclusive mode', table_name);
  if not public.swath_has_days(table_name) then
    return;
  end if;
  log := format('public.%I', table_name)::regclass;
  definitions := array(
      select format('alter table public.%I add constraint %I %s', table_name, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = log and k.contype = 'p')
    || array(
      select replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')
      from pg_index x where x.indrelid = log and not x.indisprimary);
  grants := array(
      select format('grant %s on public.%I to %I', a.privilege_type, table_name, r.rolname)
      from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where c.oid = log and a.grantee <> c.relowner)
    || array(
      select format('grant %s (%I) on public.%I to %I', a.privilege_type, c.attname, table_name, r.rolname)
      from pg_attribute c, aclexplode(c.attacl) a join pg_roles r on r.oid = a.grantee
      where c.attrelid = log);

  execute format('create table public.%I (like public.%I including all excluding indexes)', table_name || '_joined', table_name);
  perform public.swath_owner_sees(true, table_name);
  execute format('insert into public.%I select * from public.%I', table_name || '_joined', table_name);
  execute format('drop table public.%I', table_name);
  execute format('alter table public.%I rename to %I', table_name || '_joined', table_name);
  foreach statement in array definitions loop
    execute statement;
  end loop;
  execute format('create index %I on public.%I (%I)', table_name || '_age', table_name, key_column);
  perform public.swath_tenant_table(table_name, 'select');
  foreach statement in array grants loop
    execute statement;
  end loop;
  -- The sweep deletes what is old, of all organizations.
  execute format('grant delete on public.%I to swath_across', table_name);
end
$$;
revoke execute on function swath_join_days(text) from public;

-- As before; a log of one table needs no partitions.
create or replace function swath_create_days(table_name text, days_ahead integer) returns integer
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
  has_rows boolean;
begin
  if days_ahead is null or days_ahead not between 0 and 31 then
    raise exception 'partitions are created for 0 to 31 days ahead';
  end if;
  if not public.swath_has_days(table_name) then
    return 0;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('days of ' || table_name, 0));
  has_rows := pg_relation_size(format('public.%I', default_partition)::regclass) > 0;
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

-- The smallest id of the hour after that of a UUID of version 7.
create function swath_next_hour(id uuid) returns uuid
language sql immutable parallel safe
as $$
  select (lpad(to_hex((('x0000' || left(replace(id::text, '-', ''), 12))::bit(64)::bigint / 3600000 + 1) * 3600000), 12, '0') || repeat('0', 20))::uuid
$$;

-- As before; of a log of one table the rows of the oldest hour are deleted, by the role that calls this. Returns 1 then, as for a
-- partition, and 0 if there are none: so a caller repeats it, in transactions that are short.
create or replace function swath_drop_days(table_name text, kept_days integer) returns integer
language plpgsql
set search_path = pg_catalog, public, pg_temp
set lock_timeout = '5s'
as $$
declare
  first_kept constant date := public.swath_first_kept_day(kept_days);
  key_column constant text := public.swath_day_key(table_name);
  has_days constant boolean := public.swath_has_days(table_name);
  bound uuid := public.swath_first_id(first_kept);
  oldest uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('days of ' || table_name, 0));
  if not has_days then
    execute format('select %1$I from public.%2$I where %1$I < %3$L order by %1$I limit 1', key_column, table_name, bound) into oldest;
    if oldest is null then
      return 0;
    end if;
    bound := least(bound, public.swath_next_hour(oldest));
  end if;
  if table_name = 'events' then
    perform public.swath_keep_of_events(bound);
  end if;
  if has_days then
    return public.swath_drop_partitions(table_name, first_kept);
  end if;
  execute format('delete from public.%I where %I < %L', table_name, key_column, bound);
  return 1;
end
$$;
