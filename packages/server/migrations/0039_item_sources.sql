-- What the source Feature of an item says and no column holds: `created` and `updated`, times with more digits than ours, the box as it
-- was given, a geometry with heights, members of other standards. Null for items that are ours alone.
alter table items add column stac_source jsonb;

-- It is said of the item, and so is measured with the rest.
alter table items drop column metadata_bytes;
drop function item_metadata_bytes(text, jsonb, jsonb, json, text[]);
create function item_metadata_bytes(
  description text, properties jsonb, links jsonb, stac_assets json, stac_extensions text[], stac_source jsonb)
returns integer
language sql
immutable
parallel safe
as $$
  select octet_length(properties::text) + octet_length(links::text) + coalesce(octet_length(stac_assets::text), 0)
    + coalesce(octet_length(description), 0) + octet_length(array_to_string(stac_extensions, ' '))
    + coalesce(octet_length(stac_source::text), 0)
$$;
alter table items
  add column metadata_bytes integer not null
    generated always as (item_metadata_bytes(description, properties, links, stac_assets, stac_extensions, stac_source)) stored,
  -- Whether the item has a time of its own beside the span that it covers: few do, and they alone stand elsewhere in the order of times.
  add column dated boolean not null generated always as (coalesce(datetime <> covers_from, false)) stored;

create index items_dated on items (organization_id, datetime desc, id)
  include (project_id, collection_id, covers_from, covers_to, revision)
  where dated and deleted_at is null and lifecycle_state <> 'expired';
create index items_project_dated on items (organization_id, project_id, datetime desc, id)
  include (collection_id, covers_from, covers_to, revision)
  where dated and deleted_at is null and lifecycle_state <> 'expired';
create index items_collection_dated on items (organization_id, collection_id, datetime desc, id)
  include (project_id, covers_from, covers_to, revision)
  where dated and deleted_at is null and lifecycle_state <> 'expired';

-- Pages in the order of time pass over them by the index alone.
drop index items_found;
drop index items_project_found;
drop index items_collection_found;
create index items_found on items (organization_id, covers_from desc, id)
  include (project_id, collection_id, covers_to, cloud_cover, revision, dated)
  where deleted_at is null and lifecycle_state <> 'expired';
create index items_project_found on items (organization_id, project_id, covers_from desc, id)
  include (collection_id, covers_to, cloud_cover, revision, dated)
  where deleted_at is null and lifecycle_state <> 'expired';
create index items_collection_found on items (organization_id, collection_id, covers_from desc, id)
  include (project_id, covers_to, cloud_cover, revision, dated)
  where deleted_at is null and lifecycle_state <> 'expired';
