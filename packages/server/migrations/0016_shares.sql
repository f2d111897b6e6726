-- Links behind which visitors without an account see an item or a collection.

-- The token is looked up by its hash in the directory below; token_sealed is for those who share, who want to see it again. Sessions of
-- an older password_version are over. tiles counts what visitors saw, paid_tiles up to where that has been paid.
create table share_links (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  target_type text not null check (target_type in ('item', 'collection')),
  target_id uuid not null,
  permission text not null check (permission in ('view', 'download')),
  token_sealed text not null,
  password_hash text not null,
  password_version integer not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  view_cap bigint check (view_cap >= 0),
  cost_cap_credits bigint check (cost_cap_credits >= 0),
  views bigint not null default 0 check (views >= 0),
  tiles bigint not null default 0 check (tiles >= 0),
  paid_tiles bigint not null default 0 check (paid_tiles >= 0),
  downloads bigint not null default 0 check (downloads >= 0),
  cost_credits bigint not null default 0 check (cost_credits >= 0),
  last_accessed_at timestamptz,
  created_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id)
);
create index share_links_newest on share_links (organization_id, project_id, created_at desc, id desc);
create index share_links_target on share_links (organization_id, target_id);
select swath_tenant_table('share_links', 'select, insert, update');

-- Global directory: SHA-256 of a link's token to the organization that shares.
create table share_token_directory (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  link_id uuid not null
);
create unique index share_token_directory_link on share_token_directory (link_id);
select swath_directory_table('share_token_directory');
