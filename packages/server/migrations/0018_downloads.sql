-- What leaves the house: how often assets are fetched, and how many bytes go out.

-- Addresses that were given out for an asset in a day (UTC); the cap is compared in the statement that counts one more.
create table asset_downloads (
  organization_id uuid not null,
  day date not null,
  asset_id uuid not null,
  downloads integer not null check (downloads > 0),
  primary key (organization_id, day, asset_id)
);
select swath_tenant_table('asset_downloads', 'select, insert, update');

-- Bytes that went out in a day (UTC), written after they went, also those of a transfer that was broken off. An asset is one subject, an
-- archive of an item or an order another. share_link is the id of the link that they went through, or empty.
create table egress_journal (
  organization_id uuid not null,
  day date not null,
  subject_type text collate "C" not null check (subject_type in ('asset', 'item', 'order')),
  subject_id uuid not null,
  share_link text collate "C" not null,
  bytes bigint not null check (bytes >= 0),
  transfers bigint not null check (transfers >= 0),
  updated_at timestamptz not null,
  primary key (organization_id, day, subject_type, subject_id, share_link)
);
create index egress_journal_link on egress_journal (organization_id, share_link) where share_link <> '';
select swath_tenant_table('egress_journal', 'select, insert, update');
