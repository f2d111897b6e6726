-- Tokens in the address of a map, for tools that can send no header: each opens the tiles of one item or one collection, for a time.

create table tile_tokens (
  organization_id uuid not null,
  id uuid not null,
  item_id uuid,
  collection_id uuid,
  name text not null,
  prefix text not null,
  -- The person whose rights it has, and the key that made it, with which it ends.
  issuer uuid not null,
  key_id uuid,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((item_id is null) <> (collection_id is null))
);
create index tile_tokens_item on tile_tokens (organization_id, item_id) where item_id is not null;
create index tile_tokens_collection on tile_tokens (organization_id, collection_id) where collection_id is not null;
create index tile_tokens_expiry on tile_tokens (expires_at);
select swath_tenant_table('tile_tokens');

-- Global directory: SHA-256 of a token to the organization whose tiles it opens.
create table tile_token_directory (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  token_id uuid not null
);
create index tile_token_directory_token on tile_token_directory (organization_id, token_id);
select swath_directory_table('tile_token_directory');
