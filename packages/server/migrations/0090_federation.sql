-- Domains of e-mail addresses that organizations claim. `proof` is the value of the TXT record, which everybody may read.
create table organization_domains (
  organization_id uuid not null,
  domain text collate "C" not null,
  proof text not null,
  state text not null check (state in ('pending', 'verified', 'lost')),
  created_by uuid not null,
  created_at timestamptz not null,
  verified_at timestamptz,
  checked_at timestamptz,
  failing_since timestamptz,
  problem text,
  primary key (organization_id, domain),
  check (state <> 'verified' or verified_at is not null)
);
select swath_tenant_table('organization_domains');

-- The organization that has proved a domain; no two have the same. The sign-in page reads it before an organization is known.
create table domain_directory (
  domain text collate "C" primary key,
  organization_id uuid not null,
  checked_at timestamptz not null
);
create index domain_directory_organization on domain_directory (organization_id);
create index domain_directory_checked on domain_directory (checked_at);
select swath_directory_table('domain_directory');

-- The OpenID Connect provider of an organization. `mappings` is a list of {"value", "role", "projects"}.
create table identity_providers (
  organization_id uuid not null,
  id uuid not null,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text,
  scopes text[] not null,
  domains text[] not null,
  roles_claim text,
  mappings jsonb not null,
  default_role text not null check (default_role in ('admin', 'billing', 'member')),
  mode text not null check (mode in ('optional', 'required')),
  email_trust text not null check (email_trust in ('verified_claim', 'domain')),
  just_in_time boolean not null,
  emergency_access uuid[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id)
);
select swath_tenant_table('identity_providers');

-- Who a subject of a provider is in the organization of the provider.
create table federated_identities (
  organization_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id uuid not null,
  created_at timestamptz not null,
  last_sign_in_at timestamptz not null,
  amr text[] not null,
  acr text,
  primary key (organization_id, issuer, subject)
);
create unique index federated_identities_user on federated_identities (organization_id, issuer, user_id);
select swath_tenant_table('federated_identities');

-- Sign-ins that are under way at a provider: nonce and verifier are computed from the cookie of the browser. The second part is set
-- while the owner of an account is asked for its password.
create table provider_logins (
  state_hash text collate "C" primary key,
  organization_id uuid not null,
  cookie_hash text collate "C" not null,
  query text not null,
  session_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  user_id uuid,
  claims jsonb,
  linked_at timestamptz
);
create index provider_logins_expiry on provider_logins (expires_at);
select swath_directory_table('provider_logins');

-- A session of a browser that a provider began is for the organization of that provider, as are those of the clients that it signed in.
alter table sessions add column provider_organization_id uuid;

create table provider_sessions (
  session_id uuid primary key references sessions (id) on delete cascade,
  organization_id uuid not null,
  issuer text collate "C" not null,
  subject text collate "C" not null,
  sid text collate "C",
  amr text[] not null,
  acr text,
  created_at timestamptz not null
);
create index provider_sessions_subject on provider_sessions (organization_id, issuer, subject);
create index provider_sessions_sid on provider_sessions (organization_id, issuer, sid) where sid is not null;
select swath_directory_table('provider_sessions');

-- Tokens of directories that provision members.
create table scim_tokens (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  created_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id)
);
select swath_tenant_table('scim_tokens');

create table scim_token_directory (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  token_id uuid not null
);
create index scim_token_directory_token on scim_token_directory (organization_id, token_id);
select swath_directory_table('scim_token_directory');

-- People as a directory knows them. A member whom no directory has touched has no row. `attributes` has what is only kept for the directory.
create table scim_users (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  user_name text not null,
  user_name_key text collate "C" not null,
  external_id text collate "C",
  active boolean not null,
  attributes jsonb not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index scim_users_user on scim_users (organization_id, user_id);
create unique index scim_users_name on scim_users (organization_id, user_name_key);
select swath_tenant_table('scim_users');

create table scim_groups (
  organization_id uuid not null,
  id uuid not null,
  display_name text not null,
  external_id text collate "C",
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
select swath_tenant_table('scim_groups');

create table scim_group_members (
  organization_id uuid not null,
  group_id uuid not null,
  resource_id uuid not null,
  primary key (organization_id, group_id, resource_id)
);
create index scim_group_members_resource on scim_group_members (organization_id, resource_id);
select swath_tenant_table('scim_group_members');
