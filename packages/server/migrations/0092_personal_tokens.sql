-- Personal access tokens: each acts as its user in one organization, with the scopes that the user chose.
create table personal_tokens (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  prefix text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- True for a token of a user whom the provider of the organization signed in.
  by_provider boolean not null,
  last_used_at timestamptz,
  -- The IPv4 address, or the /64 block of the IPv6 address.
  last_used_address text,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index personal_tokens_user on personal_tokens (organization_id, user_id);
create index personal_tokens_newest on personal_tokens (organization_id, created_at desc, id desc);
create index personal_tokens_expiry on personal_tokens (expires_at);
select swath_tenant_table('personal_tokens');

-- SHA-256 of a token to its organization.
create table personal_token_directory (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  token_id uuid not null
);
create index personal_token_directory_token on personal_token_directory (organization_id, token_id);
select swath_directory_table('personal_token_directory');

alter table api_keys add column last_used_address text;

-- A session with all scopes of a user has those of the new resources as well.
select swath_owner_sees(true, 'sessions');
update sessions set scopes = scopes || array['personal_tokens:*', 'oauth_clients:*', 'consents:*']
where kind = 'human' and scopes @> array['items:*', 'organizations:*', 'api_keys:*', 'eulas:*'] and not scopes @> array['consents:*'];
update sessions set scopes = scopes || array['users:*']
where kind = 'human' and scopes @> array['items:*', 'organizations:*', 'api_keys:*', 'eulas:*'] and not scopes @> array['users:*'];
select swath_owner_sees(false, 'sessions');
