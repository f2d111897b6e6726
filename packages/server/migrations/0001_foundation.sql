-- The ground that every other migration stands on: the spatial extension, the role that the server works as, and the functions by which
-- a migration says what kind of table it made. No table is made here.
--
-- Every table is declared once, right after it is created, with one of:
--   select swath_tenant_table('items');                                  -- rows of one organization; row-level security
--   select swath_tenant_table('journal_entries', 'select, insert');      -- the same, but the app role may not change or remove rows
--   select swath_shared_table('plans');                                  -- no tenant data; the app role reads
--   select swath_directory_table('api_key_directory');                   -- key -> organization_id; reached across organizations only

create extension if not exists postgis;

-- Roles belong to the cluster: another database of it may have made this one already, perhaps at this moment.
do $$
begin
  if not exists (select 1 from pg_catalog.pg_roles where rolname = 'swath_app') then
    create role swath_app nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null;
end
$$;

-- The owner works as the app role by "set role", which needs membership unless it is a superuser.
do $$
begin
  if not pg_has_role(current_user, 'swath_app', 'member') then
    execute format('grant swath_app to %I', current_user);
  end if;
end
$$;

grant usage on schema public to swath_app;

-- Row-level security runs before every function that is not leakproof, and so before the spatial index. These predicates reveal nothing
-- of a row but their answer, so they may run first. Only a superuser may say so: elsewhere item search works as the owner.
do $$
declare
  predicate regprocedure;
begin
  for predicate in
    select p.oid::regprocedure
    from pg_catalog.pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.proname in (
        'geometry_overlaps', 'geometry_contains', 'geometry_within', 'geometry_same', 'st_intersects', 'st_contains',
        'st_containsproperly', 'st_within', 'st_covers', 'st_coveredby', 'st_disjoint', 'st_dwithin', 'st_overlaps', 'st_touches',
        'st_crosses', 'st_equals')
      and p.proargtypes[0] = 'public.geometry'::regtype
      and p.proargtypes[1] = 'public.geometry'::regtype
  loop
    execute format('alter function %s leakproof', predicate);
  end loop;
exception when insufficient_privilege then
  raise notice 'the spatial predicates stay as they are: item search will work as the owner';
end
$$;

-- Gives the app role the named privileges ('select, insert, update, delete' at most) and no others.
create function swath_grant(table_name text, privileges text) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  privilege text;
begin
  execute format('revoke all on table public.%I from public, swath_app', table_name);
  foreach privilege in array string_to_array(replace(lower(privileges), ' ', ''), ',') loop
    if privilege not in ('select', 'insert', 'update', 'delete') then
      raise exception 'swath_app cannot be given "%"', privilege;
    end if;
    execute format('grant %s on table public.%I to swath_app', privilege, table_name);
  end loop;
end
$$;

-- A table whose rows belong to one organization each: organization_id uuid not null, first in every key.
create function swath_tenant_table(table_name text, privileges text default 'select, insert, update, delete') returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  if not exists (
    select 1
    from pg_attribute a
    where a.attrelid = format('public.%I', table_name)::regclass
      and a.attname = 'organization_id' and a.atttypid = 'uuid'::regtype and a.attnotnull)
  then
    raise exception 'table % needs a column "organization_id uuid not null"', table_name;
  end if;
  execute format('comment on table public.%I is %L', table_name, 'tenant');
  execute format('alter table public.%I enable row level security', table_name);
  execute format(
    'create policy tenant on public.%I to swath_app using (organization_id = current_setting(%L)::uuid)',
    table_name, 'app.organization_id');
  perform public.swath_grant(table_name, privileges);
end
$$;

-- A table without tenant data, the same for everybody.
create function swath_shared_table(table_name text, privileges text default 'select') returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  execute format('comment on table public.%I is %L', table_name, 'shared');
  perform public.swath_grant(table_name, privileges);
end
$$;

-- A table that finds the organization of a key; the app role never sees it.
create function swath_directory_table(table_name text) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  execute format('comment on table public.%I is %L', table_name, 'directory');
  execute format('revoke all on table public.%I from public, swath_app', table_name);
end
$$;

revoke execute on function swath_grant(text, text) from public;
revoke execute on function swath_tenant_table(text, text) from public;
revoke execute on function swath_shared_table(text, text) from public;
revoke execute on function swath_directory_table(text) from public;
