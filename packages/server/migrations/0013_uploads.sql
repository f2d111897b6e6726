-- Sessions in which files are sent and ingested, and the files of each.

-- reserved_bytes is what the session still keeps of the plan's storage: nothing once it has ended. expires_at is when an open session
-- ends by itself; clean_at is when the bytes that were sent can no longer be added to and are removed for good. attempt counts the tries
-- at ingesting: only the newest one may write what it found.
create table uploads (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  status text not null check (status in ('initiated', 'uploading', 'uploaded', 'ingesting', 'completed', 'failed', 'cancelled', 'expired')),
  transfer_method text not null check (transfer_method in ('browser', 'cli', 'cloud_transfer')),
  file_count integer not null check (file_count > 0),
  total_bytes bigint not null check (total_bytes >= 0),
  reserved_bytes bigint not null check (reserved_bytes >= 0),
  bytes_uploaded bigint not null check (bytes_uploaded >= 0),
  target_collection_id uuid,
  target_item_id uuid,
  asset_key text collate "C",
  is_categorical boolean not null,
  error_message text,
  error_step text,
  attempt integer not null,
  expires_at timestamptz,
  clean_at timestamptz,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id),
  check ((expires_at is not null) = (status in ('initiated', 'uploading', 'uploaded'))),
  check (reserved_bytes = 0 or status not in ('completed', 'failed', 'cancelled', 'expired'))
);
create index uploads_newest on uploads (organization_id, created_at desc, id desc);
create index uploads_reserved on uploads (organization_id) where reserved_bytes > 0;
create index uploads_expiring on uploads (expires_at) where expires_at is not null;
create index uploads_ingesting on uploads (updated_at) where status = 'ingesting';
create index uploads_cleaning on uploads (clean_at) where clean_at is not null;
select swath_tenant_table('uploads');

-- One file by the name that its sender gave it, or (parent_id) one in an archive; part_upload is what the storage calls its sending in parts.
create table upload_files (
  organization_id uuid not null,
  upload_id uuid not null,
  id uuid not null,
  file_name text collate "C" not null,
  object_path text collate "C" not null,
  media_type text not null,
  part_upload text,
  parent_id uuid,
  status text not null check (status in ('expected', 'verified', 'ingested', 'refused')),
  size_bytes bigint,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  etag text,
  reason text,
  item_ids uuid[] not null default '{}',
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, upload_id) references uploads (organization_id, id),
  check (status <> 'verified' or (size_bytes is not null and sha256 is not null)),
  check ((reason is not null) = (status = 'refused'))
);
create unique index upload_files_name on upload_files (organization_id, upload_id, file_name);
select swath_tenant_table('upload_files');
