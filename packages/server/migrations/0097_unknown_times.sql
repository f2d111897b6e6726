-- Items whose time is unknown no longer claim that of their storing: they cover one moment that no image has (decision 0121), so that
-- searches from a date on leave them out. The counts of the months of their organizations are made anew. The tables are locked in
-- the order of the statements that write items.
select swath_owner_sees(true, 'items', 'item_months');

update items
set covers_from = '0001-01-01T00:00:00Z'::timestamptz, covers_to = '0001-01-01T00:00:00Z'::timestamptz
where datetime is null and start_datetime is null and end_datetime is null;

delete from item_months t
where exists (
  select from items i
  where i.organization_id = t.organization_id and i.covers_from = '0001-01-01T00:00:00Z'::timestamptz);

insert into item_months
  (organization_id, project_id, collection_id, month, found, west, south, east, north, earliest, latest, ends,
   least_clouds, most_clouds, finest, coarsest)
select i.organization_id, i.project_id, coalesce(i.collection_id, '00000000-0000-0000-0000-000000000000'),
  item_month(i.covers_from), count(*),
  min(ST_XMin(i.geometry)), min(ST_YMin(i.geometry)), max(ST_XMax(i.geometry)), max(ST_YMax(i.geometry)),
  min(i.covers_from), max(i.covers_from), max(i.covers_to), min(i.cloud_cover), max(i.cloud_cover),
  min(nullif(i.gsd, 0)), max(nullif(i.gsd, 0))
from items i
where i.deleted_at is null and i.lifecycle_state <> 'expired'
  and exists (
    select from items u
    where u.organization_id = i.organization_id and u.covers_from = '0001-01-01T00:00:00Z'::timestamptz)
group by 1, 2, 3, 4;

select swath_owner_sees(false, 'items', 'item_months');
