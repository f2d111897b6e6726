-- The statements that write items also write their counts and the bytes of their metadata, so that the table can be distributed, which
-- tables with triggers cannot be. The previous version leaves that to the triggers, so they stay until it no longer runs, and leave out
-- what the statements have counted. A later migration drops them, their functions and this column (`-- min program: 0072`).

-- The revision of the item that its own statement counted; statements of the previous version raise only the revision.
alter table items add column counted_revision bigint;

create or replace function count_arrived_items() returns trigger
language plpgsql
as $$
begin
  perform add_stored_bytes(m.organization_id, 0, m.bytes)
  from (
    select organization_id, sum(metadata_bytes + geometry_bytes)::bigint as bytes
    from arrived where counted_revision is distinct from revision group by organization_id order by organization_id) m;
  return null;
end
$$;

create or replace function count_changed_items() returns trigger
language plpgsql
as $$
begin
  if not exists (select from arrived where counted_revision is distinct from revision) then
    return null;
  end if;
  perform add_stored_bytes(m.organization_id, 0, m.bytes)
  from (
    select a.organization_id, sum(a.metadata_bytes + a.geometry_bytes - b.metadata_bytes - b.geometry_bytes)::bigint as bytes
    from gone b join arrived a on a.organization_id = b.organization_id and a.id = b.id
    where a.counted_revision is distinct from a.revision
    group by a.organization_id order by a.organization_id) m
  where m.bytes <> 0;
  return null;
end
$$;

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
    from arrived i where i.deleted_at is null and i.counted_revision is distinct from i.revision);
  if cardinality(changes) > 0 then
    perform apply_item_counts(changes);
  end if;
  property_changes := array(
    select row(
      i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'), p.name, p.type, count(*)
    )::item_property_change
    from arrived i cross join lateral item_property_types(i.properties) p
    where i.deleted_at is null and i.lifecycle_state <> 'expired' and i.counted_revision is distinct from i.revision
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
  if not exists (select from arrived where counted_revision is distinct from revision) then
    return null;
  end if;
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
        and a.counted_revision is distinct from a.revision
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
        and a.counted_revision is distinct from a.revision
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
