-- What addresses into a bucket can still write. A bucket asks nobody when bytes arrive: an address that was given out works until it
-- expires, whatever became of its session. So each is signed for one length, the lengths of a session stay within what it reserved
-- (addressed_bytes is their sum), and they count until addresses_end_at, when what came is removed.
alter table uploads
  add column addressed_bytes bigint not null default 0 check (addressed_bytes >= 0),
  add column addresses_end_at timestamptz;

drop index uploads_reserved;
create index uploads_reserved on uploads (organization_id) where reserved_bytes > 0 or addressed_bytes > 0;
create index uploads_open on uploads (organization_id, expires_at) where expires_at is not null;

-- The largest length for which an address of a file (part 0) or of a part of it was signed: a later object of the same name replaces the
-- one before. Rows of parts end with their multipart upload, all with the session's addresses.
create table upload_addresses (
  organization_id uuid not null,
  upload_id uuid not null,
  file_id uuid not null,
  part integer not null check (part between 0 and 10000),
  size_bytes bigint not null check (size_bytes >= 0),
  primary key (organization_id, upload_id, file_id, part),
  foreign key (organization_id, upload_id) references uploads (organization_id, id)
);
select swath_tenant_table('upload_addresses');
