-- The properties of the items that searches find, counted by their name and the JSON type of the value, and kept with the rows as the
-- counts of 0032 are: the queryables of an organization are read from as many rows as there are names. No count of null values, and none
-- of names longer than 1,024 bytes, which an index cannot hold.
create table item_properties (
  organization_id uuid not null,
  project_id uuid not null,
  collection_id uuid not null,
  name text not null,
  type text not null,
  found bigint not null,
  primary key (organization_id, project_id, collection_id, name, type)
);
create index item_properties_collection on item_properties (organization_id, collection_id);
select swath_tenant_table('item_properties');

-- Values that came (above zero) or left (below) by one statement.
create type item_property_change as (
  organization_id uuid, project_id uuid, collection_id uuid, name text, type text, found bigint
);

-- The counted properties of an item: their names, and the types of their values.
create function item_property_types(properties jsonb) returns table (name text, type text)
language sql
immutable
parallel safe
as $$
  select p.key, jsonb_typeof(p.value) from jsonb_each(properties) p
  where jsonb_typeof(p.value) <> 'null' and octet_length(p.key) <= 1024
$$;

-- Under the lock of the storage totals, as the counts of 0032. Names are free, so rows without values are removed.
create function apply_item_properties(changes item_property_change[]) returns void
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('stored bytes of ' || o.organization_id::text, 0))
  from (select distinct c.organization_id from unnest(changes) c order by 1) o;

  insert into item_properties as t (organization_id, project_id, collection_id, name, type, found)
  select c.organization_id, c.project_id, c.collection_id, c.name, c.type, c.found
  from unnest(changes) c
  order by 1, 2, 3, 4, 5
  on conflict (organization_id, project_id, collection_id, name, type) do update set found = t.found + excluded.found;

  delete from item_properties t
  using unnest(changes) c
  where c.found < 0 and t.found = 0 and t.organization_id = c.organization_id and t.project_id = c.project_id
    and t.collection_id = c.collection_id and t.name = c.name and t.type = c.type;
end
$$;

-- The three functions of 0032, which also count properties now.
create or replace function count_arrived_items_by_month() returns trigger
language plpgsql
as $$
declare
  changes item_count_change[];
  property_changes item_property_change[];
begin
  changes := array(
    select row(
      i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'),
      item_cloud_band(i.cloud_cover), item_month(i.covers_from), 1, (i.lifecycle_state <> 'expired')::integer,
      ST_XMin(i.geometry), ST_YMin(i.geometry), ST_XMax(i.geometry), ST_YMax(i.geometry), i.covers_from, i.covers_to,
      i.cloud_cover, nullif(i.gsd, 0)
    )::item_count_change
    from arrived i where i.deleted_at is null);
  if cardinality(changes) > 0 then
    perform apply_item_counts(changes);
  end if;
  property_changes := array(
    select row(
      i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'), p.name, p.type, count(*)
    )::item_property_change
    from arrived i cross join lateral item_property_types(i.properties) p
    where i.deleted_at is null and i.lifecycle_state <> 'expired'
    group by i.organization_id, i.project_id, i.collection_id, p.name, p.type);
  if cardinality(property_changes) > 0 then
    perform apply_item_properties(property_changes);
  end if;
  return null;
end
$$;

create or replace function count_changed_items_by_month() returns trigger
language plpgsql
as $$
declare
  changes item_count_change[];
  property_changes item_property_change[];
begin
  changes := array(
    select row(
      i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'),
      item_cloud_band(i.cloud_cover), item_month(i.covers_from), i.sign, i.sign * (i.lifecycle_state <> 'expired')::integer,
      ST_XMin(i.geometry), ST_YMin(i.geometry), ST_XMax(i.geometry), ST_YMax(i.geometry), i.covers_from, i.covers_to,
      i.cloud_cover, nullif(i.gsd, 0)
    )::item_count_change
    from (
      select b.organization_id, b.id
      from gone b join arrived a on a.organization_id = b.organization_id and a.id = b.id
      where (b.project_id, b.collection_id, b.cloud_cover, b.gsd, b.covers_from, b.covers_to, b.deleted_at is null,
             b.lifecycle_state <> 'expired', b.geometry)
        is distinct from (a.project_id, a.collection_id, a.cloud_cover, a.gsd, a.covers_from, a.covers_to, a.deleted_at is null,
             a.lifecycle_state <> 'expired', a.geometry)
    ) changed
    join (
      select g.organization_id, g.id, g.project_id, g.collection_id, g.cloud_cover, g.gsd, g.covers_from, g.covers_to, g.deleted_at,
        g.lifecycle_state, g.geometry, -1 as sign
      from gone g
      union all
      select g.organization_id, g.id, g.project_id, g.collection_id, g.cloud_cover, g.gsd, g.covers_from, g.covers_to, g.deleted_at,
        g.lifecycle_state, g.geometry, 1
      from arrived g
    ) i on i.organization_id = changed.organization_id and i.id = changed.id
    where i.deleted_at is null);
  if cardinality(changes) > 0 then
    perform apply_item_counts(changes);
  end if;
  property_changes := array(
    select row(
      i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'), p.name, p.type, sum(i.sign)
    )::item_property_change
    from (
      select b.organization_id, b.id
      from gone b join arrived a on a.organization_id = b.organization_id and a.id = b.id
      where (b.project_id, b.collection_id, b.deleted_at is null, b.lifecycle_state <> 'expired', b.properties)
        is distinct from (a.project_id, a.collection_id, a.deleted_at is null, a.lifecycle_state <> 'expired', a.properties)
    ) changed
    join (
      select g.organization_id, g.id, g.project_id, g.collection_id, g.deleted_at, g.lifecycle_state, g.properties, -1 as sign
      from gone g
      union all
      select g.organization_id, g.id, g.project_id, g.collection_id, g.deleted_at, g.lifecycle_state, g.properties, 1
      from arrived g
    ) i on i.organization_id = changed.organization_id and i.id = changed.id
    cross join lateral item_property_types(i.properties) p
    where i.deleted_at is null and i.lifecycle_state <> 'expired'
    group by i.organization_id, i.project_id, i.collection_id, p.name, p.type having sum(i.sign) <> 0);
  if cardinality(property_changes) > 0 then
    perform apply_item_properties(property_changes);
  end if;
  return null;
end
$$;

create or replace function count_gone_items_by_month() returns trigger
language plpgsql
as $$
declare
  changes item_count_change[];
  property_changes item_property_change[];
begin
  changes := array(
    select row(
      i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'),
      item_cloud_band(i.cloud_cover), item_month(i.covers_from), -1, - (i.lifecycle_state <> 'expired')::integer,
      ST_XMin(i.geometry), ST_YMin(i.geometry), ST_XMax(i.geometry), ST_YMax(i.geometry), i.covers_from, i.covers_to,
      i.cloud_cover, nullif(i.gsd, 0)
    )::item_count_change
    from gone i where i.deleted_at is null);
  if cardinality(changes) > 0 then
    perform apply_item_counts(changes);
  end if;
  property_changes := array(
    select row(
      i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'), p.name, p.type, - count(*)
    )::item_property_change
    from gone i cross join lateral item_property_types(i.properties) p
    where i.deleted_at is null and i.lifecycle_state <> 'expired'
    group by i.organization_id, i.project_id, i.collection_id, p.name, p.type);
  if cardinality(property_changes) > 0 then
    perform apply_item_properties(property_changes);
  end if;
  return null;
end
$$;

select swath_owner_sees(true, 'items', 'item_properties');

insert into item_properties (organization_id, project_id, collection_id, name, type, found)
select i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'), p.name, p.type, count(*)
from items i cross join lateral item_property_types(i.properties) p
where i.deleted_at is null and i.lifecycle_state <> 'expired'
group by i.organization_id, i.project_id, i.collection_id, p.name, p.type;

select swath_owner_sees(false, 'items', 'item_properties');
