-- What makes searches of items quick.

-- Counts the changes of an item and its assets: what was derived from an earlier revision is out of date.
alter table items add column revision bigint not null default 0;

-- The STAC Feature of an item as it is sent, with one mark where each address of ours begins. Valid for one revision of the item; a row
-- that is missing or older is made again by the search that needs it.
create table item_features (
  organization_id uuid not null,
  item_id uuid not null,
  revision bigint not null,
  feature text not null,
  primary key (organization_id, item_id),
  foreign key (organization_id, item_id) references items (organization_id, id)
);
select swath_tenant_table('item_features');

-- Few items last, and the planner must know how few.
alter table items add column lasts boolean not null generated always as (covers_to > covers_from) stored;

-- In the order of a search without a sort, with what the usual conditions ask: pages and counts are read from the index alone.
create index items_found on items (organization_id, covers_from desc, id)
  include (project_id, collection_id, covers_to, cloud_cover, revision)
  where deleted_at is null and lifecycle_state <> 'expired';
drop index items_time;
create index items_lasting on items (organization_id, covers_to)
  include (covers_from, id, project_id, collection_id, cloud_cover, revision)
  where lasts and deleted_at is null and lifecycle_state <> 'expired';
create index items_cloud on items (organization_id, cloud_cover) where deleted_at is null and lifecycle_state <> 'expired';
