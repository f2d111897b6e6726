-- Items are partitioned by the hash of their organization: a search looks into one partition, where the spatial index, which does not
-- begin with the organization, has an eighth of the items of the others, and VACUUM works on an eighth of the table at a time.

-- Writes items into so many partitions, or into one table for 0. It copies all items, and nothing reads or writes them meanwhile. All else
-- about the table stays: columns, keys, indexes, policies, and the foreign keys of other tables. Does nothing if that is how they are.
create function swath_partition_items(partitions integer) returns void
language plpgsql
set search_path = pg_catalog, public, pg_temp
set row_security = off
as $$
declare
  items constant oid := 'public.items'::regclass;
  related text[];
  definitions text[];
  column_list text;
  statement text;
  part text;
  entry record;
  copied bigint;
begin
  if partitions < 0 or partitions = 1 or partitions > 64 then
    raise exception 'items have 2 to 64 partitions, or 0 for one table';
  end if;
  if partitions = (select count(*) from pg_inherits i where i.inhparent = items) then
    return;
  end if;
  if to_regclass('pg_dist_partition') is not null and partitions > 0 then
    raise exception 'Citus distributes items by the hash of their organization: they stay one table for it';
  end if;
  lock table public.items in access exclusive mode;

  -- Foreign keys of both directions are checked again, so their tables are read whole.
  related := array(
    select distinct c.relname::text
    from pg_constraint k join pg_class c on c.oid in (k.conrelid, k.confrelid)
    where k.contype = 'f' and k.conparentid = 0 and items in (k.conrelid, k.confrelid));
  perform public.swath_owner_sees(true, variadic related);
  definitions := array(
      select format('alter table public.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.conrelid = items and k.contype = 'p')
    || array(
      select replace(pg_get_indexdef(x.indexrelid), ' ON ONLY ', ' ON ')
      from pg_index x where x.indrelid = items and not x.indisprimary)
    || array(
      select format('alter table public.%I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join pg_class c on c.oid = k.conrelid
      where k.contype = 'f' and k.conparentid = 0 and items in (k.conrelid, k.confrelid));
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into column_list
  from pg_attribute a where a.attrelid = items and a.attnum > 0 and not a.attisdropped and a.attgenerated = '';

  execute 'create table public.items_new (like public.items including all excluding indexes)'
    || case when partitions = 0 then '' else ' partition by hash (organization_id)' end;
  for number in 0 .. partitions - 1 loop
    execute format(
      'create table public.items_new_%1$s partition of public.items_new for values with (modulus %2$s, remainder %1$s)',
      number, partitions);
  end loop;
  execute format('insert into public.items_new (%1$s) select %1$s from public.items', column_list);
  get diagnostics copied = row_count;

  for entry in
    select c.relname as table_name, k.conname as name from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0 and k.confrelid = items
  loop
    execute format('alter table public.%I drop constraint %I', entry.table_name, entry.name);
  end loop;
  drop table public.items;
  alter table public.items_new rename to items;
  for number in 0 .. partitions - 1 loop
    execute format('alter table public.items_new_%1$s rename to items_%1$s', number);
  end loop;

  foreach statement in array definitions loop
    execute statement;
  end loop;
  -- The index items_found of items is items_found_3 of items_3.
  for entry in
    select c.relname as name, parent.relname || substring(t.relname from '_[0-9]+$') as new_name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    join pg_class parent on parent.oid = i.inhparent
    join pg_index x on x.indexrelid = c.oid
    join pg_class t on t.oid = x.indrelid
    join pg_inherits p on p.inhrelid = t.oid and p.inhparent = 'public.items'::regclass
  loop
    execute format('alter index public.%I rename to %I', entry.name, entry.new_name);
  end loop;

  -- Statements are planned for an organization with many items: the plan for them also fits few.
  foreach part in array
    array(select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'public.items'::regclass)
    || case when partitions = 0 then array['items'] else array[]::text[] end
  loop
    execute format('alter table public.%I alter column organization_id set (n_distinct = 4)', part);
    if partitions > 0 then
      perform public.swath_close_partition(part);
    end if;
  end loop;
  perform public.swath_tenant_table('items');
  perform public.swath_owner_sees(false, variadic related);
  if copied > 0 then
    analyze public.items;
  end if;
end
$$;
revoke execute on function swath_partition_items(integer) from public;

-- Copying 100,000 items takes some seconds. A larger table stays one until its operator finds a quiet time and calls the function; the
-- program works with either. On Citus it stays one.
do $$
begin
  if to_regclass('pg_dist_partition') is not null then
    return;
  end if;
  perform swath_owner_sees(true, 'items');
  if (select count(*) from (select from items limit 100001) i) <= 100000 then
    perform swath_partition_items(8);
  else
    perform swath_owner_sees(false, 'items');
    raise notice 'items have no partitions yet: at a quiet time, run select swath_partition_items(8)';
  end if;
end
$$;
