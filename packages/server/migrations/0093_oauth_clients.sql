-- Programs of an organization that act for persons, or for the organization itself. The scopes are the most that they get.
create table oauth_clients (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  type text not null check (type in ('confidential', 'public')),
  redirect_uris text[] not null,
  scopes text[] not null,
  grants text[] not null,
  home_url text,
  logo_url text,
  open_to_all boolean not null,
  -- SHA-256 of the secret of a confidential client, and of the one before while that is still accepted.
  secret_hash text collate "C",
  former_secret_hash text collate "C",
  former_secret_expires_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_at timestamptz,
  primary key (organization_id, id),
  check ((type = 'confidential') = (secret_hash is not null))
);
select swath_tenant_table('oauth_clients');

create table oauth_client_directory (
  client_id uuid primary key,
  organization_id uuid not null
);
select swath_directory_table('oauth_client_directory');

-- A client that acts for its organization has the rights of an API key with the same id, which no secret of a key opens.
alter table api_keys add column of_client boolean not null default false;

-- Programs that registered themselves (RFC 7591). `token_hash` is the SHA-256 of their registration access token.
create table registered_clients (
  id uuid primary key,
  name text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  grants text[] not null,
  home_url text,
  logo_url text,
  token_hash text collate "C" not null,
  address text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null
);
create index registered_clients_used on registered_clients (last_used_at);
select swath_directory_table('registered_clients');

-- What a person has granted to a program, by organization. `client_id` is that of a row above, or the URL of a document.
create table user_consents (
  user_id uuid not null,
  client_id text collate "C" not null,
  organization_id uuid not null,
  client_name text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, client_id, organization_id)
);
create index user_consents_client on user_consents (client_id);
select swath_directory_table('user_consents');

-- The resources that tokens are for (RFC 8707); null without the parameter.
alter table sessions add column resources text[];
alter table authorization_codes add column resources text[];
alter table device_codes add column resources text[];
create index sessions_client on sessions (client_id) where client_id is not null;

-- The organization that the person chose for the device; null for the one that was chosen last.
alter table device_codes add column organization_id uuid;

-- A session of a program of others may begin without a browser: on a device, or for an organization.
alter table sessions drop constraint sessions_check3;
alter table sessions add constraint sessions_client_of_browser check (browser_session_id is null or client_id is not null);
