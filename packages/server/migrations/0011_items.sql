-- The life of items, and what their STAC Features are assembled from.

-- What the giver of an asset wrote about it in the words of STAC and no column holds, such as "proj:shape" of a file elsewhere.
alter table assets add column stac jsonb not null default '{}';

-- stac_assets is the finished member `assets` of the item's Feature, written with every change of its assets so that a search reads one
-- row an item; addresses of ours begin with "/api/v1". Null: to be assembled from the assets. It is json, since nobody looks inside.
-- left_collection_id is the collection that was deleted around the item: restoring it brings the item back.
-- purged_at is when a deleted item became a tombstone: what described it and its bytes are gone, and it cannot be restored.
alter table items
  add column stac_assets json,
  add column left_collection_id uuid,
  add column purged_at timestamptz,
  add constraint items_purged check (purged_at is null or deleted_at is not null);
update items set purged_at = deleted_at where deleted_at is not null;

create index items_expiry on items (expires_at) where expires_at is not null and deleted_at is null and lifecycle_state <> 'expired';
create index items_trash on items (deleted_at) where deleted_at is not null and purged_at is null;
create index items_left_collection on items (organization_id, left_collection_id) where left_collection_id is not null;

-- Which assets somebody reads at the moment, such as a job: they cannot be deleted until it lets go of them.
create table asset_readers (
  organization_id uuid not null,
  asset_id uuid not null,
  reader_type text collate "C" not null,
  reader_id uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, asset_id, reader_type, reader_id),
  foreign key (organization_id, asset_id) references assets (organization_id, id)
);
create index asset_readers_reader on asset_readers (organization_id, reader_type, reader_id);
select swath_tenant_table('asset_readers');
