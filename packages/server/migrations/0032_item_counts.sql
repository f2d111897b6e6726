-- Counts of items, kept with the rows that they count, and indexes for pages: a search reads what it shows, however much is stored.

-- The bands of ten per cent of cloud cover; -1 has the items whose cover is not known.
create function item_cloud_band(cloud_cover double precision) returns smallint
language sql
immutable
parallel safe
as $$
  select case when cloud_cover is null then -1 else least(floor(greatest(cloud_cover, 0) / 10), 9) end::smallint
$$;

-- The month, in UTC, in which the time of an item begins.
create function item_month(covers_from timestamptz) returns date
language sql
immutable
parallel safe
as $$
  select date_trunc('month', covers_from at time zone 'UTC')::date
$$;

-- Items of a collection, or of a project outside of any: those have the collection of zeros. `items` are those that are not deleted,
-- `found` those of them that have not expired either, which searches find.
create table item_counts (
  organization_id uuid not null,
  project_id uuid not null,
  collection_id uuid not null,
  cloud smallint not null,
  items bigint not null,
  found bigint not null,
  primary key (organization_id, project_id, collection_id, cloud)
);
create index item_counts_collection on item_counts (organization_id, collection_id);
select swath_tenant_table('item_counts', 'select, insert, update');

-- The items that searches find by the month in which they begin, and what they cover together: the times at which the first and the last
-- of them begin, the last end, and the least and greatest of their cloud cover and ground sample distance. Nulls where there is nothing.
create table item_months (
  organization_id uuid not null,
  project_id uuid not null,
  collection_id uuid not null,
  month date not null,
  found bigint not null,
  west double precision,
  south double precision,
  east double precision,
  north double precision,
  earliest timestamptz,
  latest timestamptz,
  ends timestamptz,
  least_clouds double precision,
  most_clouds double precision,
  finest double precision,
  coarsest double precision,
  primary key (organization_id, project_id, collection_id, month)
);
create index item_months_collection on item_months (organization_id, collection_id);
select swath_tenant_table('item_months', 'select, insert, update');

-- Items that came (counts above zero) or left (below) by one statement.
create type item_count_change as (
  organization_id uuid, project_id uuid, collection_id uuid, cloud smallint, month date, items bigint, found bigint,
  west double precision, south double precision, east double precision, north double precision,
  covers_from timestamptz, covers_to timestamptz, cloud_cover double precision, gsd double precision
);

-- Under the lock of the storage totals, which other triggers of the same statement take too. Each statement in here sees what was
-- committed before it had the lock, so that a cover measured anew lacks nothing; what is not committed yet is added by its own transaction.
create function apply_item_counts(changes item_count_change[]) returns void
language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('stored bytes of ' || o.organization_id::text, 0))
  from (select distinct c.organization_id from unnest(changes) c order by 1) o;

  insert into item_counts as t (organization_id, project_id, collection_id, cloud, items, found)
  select c.organization_id, c.project_id, c.collection_id, c.cloud, sum(c.items), sum(c.found)
  from unnest(changes) c
  group by 1, 2, 3, 4 having sum(c.items) <> 0 or sum(c.found) <> 0
  order by 1, 2, 3, 4
  on conflict (organization_id, project_id, collection_id, cloud) do update
  set items = t.items + excluded.items, found = t.found + excluded.found;

  -- What comes widens the cover of its month at once.
  insert into item_months as t
    (organization_id, project_id, collection_id, month, found, west, south, east, north, earliest, latest, ends,
     least_clouds, most_clouds, finest, coarsest)
  select c.organization_id, c.project_id, c.collection_id, c.month, sum(c.found),
    min(c.west) filter (where c.found > 0), min(c.south) filter (where c.found > 0),
    max(c.east) filter (where c.found > 0), max(c.north) filter (where c.found > 0),
    min(c.covers_from) filter (where c.found > 0), max(c.covers_from) filter (where c.found > 0),
    max(c.covers_to) filter (where c.found > 0),
    min(c.cloud_cover) filter (where c.found > 0), max(c.cloud_cover) filter (where c.found > 0),
    min(c.gsd) filter (where c.found > 0), max(c.gsd) filter (where c.found > 0)
  from unnest(changes) c
  where c.found <> 0
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (organization_id, project_id, collection_id, month) do update
  set found = t.found + excluded.found,
    west = least(t.west, excluded.west), south = least(t.south, excluded.south),
    east = greatest(t.east, excluded.east), north = greatest(t.north, excluded.north),
    earliest = least(t.earliest, excluded.earliest), latest = greatest(t.latest, excluded.latest),
    ends = greatest(t.ends, excluded.ends),
    least_clouds = least(t.least_clouds, excluded.least_clouds), most_clouds = greatest(t.most_clouds, excluded.most_clouds),
    finest = least(t.finest, excluded.finest), coarsest = greatest(t.coarsest, excluded.coarsest);

  -- What leaves makes it narrower only where it lay at an edge: then the month is measured anew.
  update item_months t
  set west = m.west, south = m.south, east = m.east, north = m.north, earliest = m.earliest, latest = m.latest, ends = m.ends,
    least_clouds = m.least_clouds, most_clouds = m.most_clouds, finest = m.finest, coarsest = m.coarsest
  from (
    select c.organization_id, c.project_id, c.collection_id, c.month, min(c.west) as west, min(c.south) as south,
      max(c.east) as east, max(c.north) as north, min(c.covers_from) as earliest, max(c.covers_from) as latest,
      max(c.covers_to) as ends, min(c.cloud_cover) as least_clouds, max(c.cloud_cover) as most_clouds,
      min(c.gsd) as finest, max(c.gsd) as coarsest
    from unnest(changes) c
    where c.found < 0
    group by 1, 2, 3, 4) gone
  cross join lateral (
    select min(ST_XMin(i.geometry)) as west, min(ST_YMin(i.geometry)) as south, max(ST_XMax(i.geometry)) as east,
      max(ST_YMax(i.geometry)) as north, min(i.covers_from) as earliest, max(i.covers_from) as latest, max(i.covers_to) as ends,
      min(i.cloud_cover) as least_clouds, max(i.cloud_cover) as most_clouds,
      min(nullif(i.gsd, 0)) as finest, max(nullif(i.gsd, 0)) as coarsest
    from items i
    where i.organization_id = gone.organization_id and i.project_id = gone.project_id
      and i.collection_id is not distinct from nullif(gone.collection_id, '00000000-0000-0000-0000-000000000000')
      and i.covers_from >= gone.month::timestamp at time zone 'UTC'
      and i.covers_from < (gone.month + interval '1 month') at time zone 'UTC'
      and i.deleted_at is null and i.lifecycle_state <> 'expired') m
  where t.organization_id = gone.organization_id and t.project_id = gone.project_id
    and t.collection_id = gone.collection_id and t.month = gone.month
    and (t.found <= 0 or gone.west <= t.west or gone.south <= t.south or gone.east >= t.east or gone.north >= t.north
      or gone.earliest <= t.earliest or gone.latest >= t.latest or gone.ends >= t.ends
      or gone.least_clouds <= t.least_clouds or gone.most_clouds >= t.most_clouds
      or gone.finest <= t.finest or gone.coarsest >= t.coarsest);
end
$$;

create function count_arrived_items_by_month() returns trigger
language plpgsql
as $$
declare
  changes item_count_change[];
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
  return null;
end
$$;
create trigger items_counted_by_month after insert on items
  referencing new table as arrived for each statement execute function count_arrived_items_by_month();

-- Most changes of an item leave what is counted of it as it is.
create function count_changed_items_by_month() returns trigger
language plpgsql
as $$
declare
  changes item_count_change[];
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
  return null;
end
$$;
create trigger items_recounted_by_month after update on items
  referencing old table as gone new table as arrived for each statement execute function count_changed_items_by_month();

create function count_gone_items_by_month() returns trigger
language plpgsql
as $$
declare
  changes item_count_change[];
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
  return null;
end
$$;
create trigger items_uncounted_by_month after delete on items
  referencing old table as gone for each statement execute function count_gone_items_by_month();

select swath_owner_sees(true, 'items', 'item_counts', 'item_months');

insert into item_counts (organization_id, project_id, collection_id, cloud, items, found)
select organization_id, project_id, coalesce(collection_id, '00000000-0000-0000-0000-000000000000'), item_cloud_band(cloud_cover),
  count(*), count(*) filter (where lifecycle_state <> 'expired')
from items where deleted_at is null group by 1, 2, 3, 4;

insert into item_months
  (organization_id, project_id, collection_id, month, found, west, south, east, north, earliest, latest, ends,
   least_clouds, most_clouds, finest, coarsest)
select organization_id, project_id, coalesce(collection_id, '00000000-0000-0000-0000-000000000000'), item_month(covers_from), count(*),
  min(ST_XMin(geometry)), min(ST_YMin(geometry)), max(ST_XMax(geometry)), max(ST_YMax(geometry)),
  min(covers_from), max(covers_from), max(covers_to), min(cloud_cover), max(cloud_cover), min(nullif(gsd, 0)), max(nullif(gsd, 0))
from items where deleted_at is null and lifecycle_state <> 'expired' group by 1, 2, 3, 4;

select swath_owner_sees(false, 'items', 'item_counts', 'item_months');

-- Pages of one project and of one collection in the order of a search without a sort, as `items_found` has those of an organization.
drop index items_project;
create index items_project_found on items (organization_id, project_id, covers_from desc, id)
  include (collection_id, covers_to, cloud_cover, revision)
  where deleted_at is null and lifecycle_state <> 'expired';
create index items_collection_found on items (organization_id, collection_id, covers_from desc, id)
  include (project_id, covers_to, cloud_cover, revision)
  where deleted_at is null and lifecycle_state <> 'expired';

-- Items whose retention has ended and that no sweep has met yet are taken off the counts of a list.
create index items_retention on items (organization_id, expires_at)
  include (project_id, collection_id)
  where expires_at is not null and deleted_at is null and lifecycle_state <> 'expired';

-- A statement that is planned once for everybody is planned for an organization that has a quarter of all items: what is right for many
-- items is quick for few, and what is right for the average organization reads all items of a large one.
alter table items alter column organization_id set (n_distinct = 4);
