-- Signed addresses that are given again to whoever comes back, so that every process gives the same one and it is counted once.
create table given_downloads (
  organization_id uuid not null,
  -- To whom and for what, as a hash.
  name text collate "C" not null,
  -- Encrypted under the master secret: whoever has the address may fetch the file.
  sealed_url text not null,
  expires_at timestamptz not null,
  primary key (organization_id, name)
);
create index given_downloads_expiry on given_downloads (organization_id, expires_at);
select swath_tenant_table('given_downloads');
