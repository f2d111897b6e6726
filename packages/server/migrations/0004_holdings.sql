-- Street D, the holdings: collections, items and the files attached to them.

create table collections (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  description text,
  color text,
  show_on_map boolean not null,
  layer_order integer not null,
  auto_created boolean not null,
  source_type text,
  source_id text collate "C",
  created_by text,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id)
);
create unique index collections_name on collections (organization_id, project_id, lower(name)) where deleted_at is null;
create unique index collections_source on collections (organization_id, source_type, source_id) where auto_created and deleted_at is null;
select swath_tenant_table('collections');

-- covers_from and covers_to are what a search by time compares: start and end, else the instant, else the creation.
create table items (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  collection_id uuid,
  stac_id text collate "C" not null,
  type text not null check (type in (
    'satellite_capture', 'derived_raster', 'derived_vector', 'clip', 'user_raster', 'user_vector', 'external_reference'
  )),
  name text not null,
  description text,
  geometry geometry(Geometry, 4326),
  bbox double precision[],
  datetime timestamptz,
  start_datetime timestamptz,
  end_datetime timestamptz,
  covers_from timestamptz not null,
  covers_to timestamptz not null,
  cloud_cover double precision,
  gsd double precision,
  properties jsonb not null default '{}',
  stac_extensions text[] not null default '{}',
  links jsonb not null default '[]',
  lifecycle_state text not null default 'active' check (lifecycle_state in ('active', 'expiring', 'archived', 'expired', 'deleted')),
  expires_at timestamptz,
  archived_at timestamptz,
  previous_version_id uuid,
  duplicated_from_id uuid,
  order_id uuid,
  scene_key text collate "C",
  upload_id uuid,
  job_id uuid,
  created_by text,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id),
  foreign key (organization_id, collection_id) references collections (organization_id, id),
  check (bbox is null or cardinality(bbox) = 4),
  check (covers_from <= covers_to),
  check ((deleted_at is null) = (lifecycle_state <> 'deleted'))
);
create unique index items_stac_id on items (organization_id, stac_id) where deleted_at is null;
create unique index items_delivery on items (organization_id, order_id, scene_key) where scene_key is not null;
create index items_geometry on items using gist (geometry) where deleted_at is null;
create index items_project on items (organization_id, project_id, covers_from desc, id) where deleted_at is null;
create index items_project_newest on items (organization_id, project_id, created_at desc, id desc) where deleted_at is null;
create index items_collection_newest on items (organization_id, collection_id, created_at desc, id desc) where deleted_at is null;
create index items_time on items (organization_id, covers_from desc, id) where deleted_at is null;
create index items_order on items (organization_id, order_id) where order_id is not null;
select swath_tenant_table('items');

-- blob_path is where our own bytes lie; external_href is set instead for a file that stays with somebody else.
create table assets (
  organization_id uuid not null,
  id uuid not null,
  item_id uuid not null,
  key text collate "C" not null,
  title text,
  blob_path text,
  external_href text,
  media_type text not null,
  roles text[] not null default '{}',
  file_size_bytes bigint,
  checksum_sha256 text,
  band_names text[] not null default '{}',
  raster jsonb,
  ready boolean not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, item_id) references items (organization_id, id),
  check (blob_path is null or external_href is null),
  check (file_size_bytes >= 0),
  check (checksum_sha256 ~ '^[0-9a-f]{64}$')
);
create unique index assets_key on assets (organization_id, item_id, key) where deleted_at is null;
create index assets_blob on assets (organization_id, blob_path) where blob_path is not null;
select swath_tenant_table('assets');
