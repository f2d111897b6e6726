-- Row-level security also binds the owner of a table (FORCE), and work across organizations has a role of its own:
--   swath_app     works for the one organization that app.organization_id names (policy "tenant");
--   swath_across  works for all organizations (policy "across"): sign-in, the queue, sweeps, operators.
-- The server becomes one of the two by "set role". Neither owns anything, and the role that the server signs in as needs nothing but
-- membership in both (swath_admit).
--
-- The owner sees no row of a tenant or directory table unless it is a superuser. A migration that reads or changes such rows says
--   select swath_owner_sees(true, 'events', 'items');   and   select swath_owner_sees(false, 'events', 'items');
-- around it: migrations run with row_security off, so that one which forgets is refused instead of changing nothing.

-- Roles belong to the cluster: another database of it may have made this one already, perhaps at this moment.
do $$
begin
  if not exists (select 1 from pg_catalog.pg_roles where rolname = 'swath_across') then
    create role swath_across nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then
  null;
end
$$;

grant usage on schema public to swath_across;

-- Gives a role the named privileges ('select, insert, update, delete' at most) and no others.
create function swath_grant_to(role_name text, table_name text, privileges text) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  privilege text;
begin
  execute format('revoke all on table public.%I from public, %I', table_name, role_name);
  foreach privilege in array string_to_array(replace(lower(privileges), ' ', ''), ',') loop
    if privilege not in ('select', 'insert', 'update', 'delete') then
      raise exception '% cannot be given "%"', role_name, privilege;
    end if;
    execute format('grant %s on table public.%I to %I', privilege, table_name, role_name);
  end loop;
end
$$;

-- Binds the owner, too, and lets swath_across see every row.
create function swath_force_policies(table_name text) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  execute format('alter table public.%I enable row level security', table_name);
  execute format('alter table public.%I force row level security', table_name);
  -- "true" is folded away by the planner, so this policy costs no index; an expression that is not would.
  execute format('create policy across on public.%I to swath_across using (true)', table_name);
end
$$;

-- Lifts and restores the force of the policies for the rest of a migration.
create function swath_owner_sees(sees boolean, variadic table_names text[]) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  table_name text;
begin
  foreach table_name in array table_names loop
    execute format('alter table public.%I %s row level security', table_name, case when sees then 'no force' else 'force' end);
  end loop;
end
$$;

create or replace function swath_tenant_table(table_name text, privileges text default 'select, insert, update, delete') returns void
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
  execute format(
    'create policy tenant on public.%I to swath_app using (organization_id = current_setting(%L)::uuid)',
    table_name, 'app.organization_id');
  perform public.swath_force_policies(table_name);
  perform public.swath_grant_to('swath_app', table_name, privileges);
  perform public.swath_grant_to('swath_across', table_name, privileges);
end
$$;

create or replace function swath_shared_table(table_name text, privileges text default 'select') returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  execute format('comment on table public.%I is %L', table_name, 'shared');
  perform public.swath_grant_to('swath_app', table_name, privileges);
  perform public.swath_grant_to('swath_across', table_name, 'select, insert, update, delete');
end
$$;

create or replace function swath_directory_table(table_name text) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
begin
  execute format('comment on table public.%I is %L', table_name, 'directory');
  execute format('revoke all on table public.%I from public, swath_app', table_name);
  perform public.swath_force_policies(table_name);
  perform public.swath_grant_to('swath_across', table_name, 'select, insert, update, delete');
end
$$;

drop function swath_grant(text, text);

-- What was declared before: the privileges of swath_app are those of the declaration.
do $$
declare
  declared record;
begin
  for declared in
    select c.relname::text as name, obj_description(c.oid, 'pg_class') as purpose,
      (select string_agg(p.name, ',') from unnest(array['select', 'insert', 'update', 'delete']) as p (name)
        where has_table_privilege('swath_app', c.oid, p.name)) as privileges
    from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and obj_description(c.oid, 'pg_class') in ('tenant', 'shared', 'directory')
  loop
    if declared.purpose <> 'shared' then
      perform public.swath_force_policies(declared.name);
    end if;
    perform public.swath_grant_to(
      'swath_across', declared.name,
      case when declared.purpose = 'tenant' then declared.privileges else 'select, insert, update, delete' end);
  end loop;
end
$$;

grant select on schema_migrations to swath_across;

-- Lets a role work as the two others. From PostgreSQL 16 on it inherits nothing from them: a session that has not said whom it works for
-- sees nothing. Before, that is an attribute of the role itself (noinherit).
create function swath_admit(service text) returns void
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  modern boolean := current_setting('server_version_num')::int >= 160000;
  role_name text;
begin
  foreach role_name in array array['swath_app', 'swath_across'] loop
    if not pg_has_role(service, role_name, case when modern then 'set' else 'member' end) then
      execute format(
        'grant %I to %I %s', role_name, service, case when modern then 'with inherit false, set true' else '' end);
    end if;
  end loop;
end
$$;

-- Says of the spatial predicates that they reveal nothing of a row but their answer, so that the planner may use the spatial index under
-- the policy "tenant". False where that is not for this role to say. An update of PostGIS takes the marks away.
create function swath_mark_leakproof() returns boolean
language plpgsql
set search_path = pg_catalog, public
as $$
declare
  predicate regprocedure;
begin
  for predicate in
    select p.oid::regprocedure
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.proname in (
        'geometry_overlaps', 'geometry_contains', 'geometry_within', 'geometry_same', 'st_intersects', 'st_contains',
        'st_containsproperly', 'st_within', 'st_covers', 'st_coveredby', 'st_disjoint', 'st_dwithin', 'st_overlaps', 'st_touches',
        'st_crosses', 'st_equals')
      and p.proargtypes[0] = 'public.geometry'::regtype
      and p.proargtypes[1] = 'public.geometry'::regtype
      and not p.proleakproof
  loop
    execute format('alter function %s leakproof', predicate);
  end loop;
  return true;
exception when insufficient_privilege then
  return false;
end
$$;

revoke execute on function swath_grant_to(text, text, text) from public;
revoke execute on function swath_force_policies(text) from public;
revoke execute on function swath_owner_sees(boolean, text[]) from public;
revoke execute on function swath_admit(text) from public;
revoke execute on function swath_mark_leakproof() from public;
