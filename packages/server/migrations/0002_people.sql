-- Street B, the people: who there is, what they belong to, and how they show who they are.

-- Global directory: an e-mail address belongs to one person, and a person to one organization at a time.
create table users (
  id uuid primary key,
  email text not null,
  email_key text collate "C" not null unique,
  name text,
  password_hash text,
  password_temporary boolean not null,
  organization_id uuid,
  is_administrator boolean not null,
  is_clip_user boolean not null,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index users_organization on users (organization_id);
select swath_directory_table('users');

create table organization_slugs (
  slug text collate "C" primary key,
  organization_id uuid not null
);
select swath_directory_table('organization_slugs');

create table organizations (
  organization_id uuid primary key,
  name text not null,
  slug text collate "C" not null,
  description text,
  website text,
  industry text,
  size text,
  country text,
  abn text,
  tax_number text,
  billing_email text,
  billing_admin_id uuid,
  billing_address jsonb,
  enterprise_billing boolean not null,
  plan text not null check (plan in ('free', 'prepaid', 'enterprise', 'internal')),
  status text not null check (status in ('active', 'suspended', 'deleted')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  delete_after timestamptz
);
select swath_tenant_table('organizations');

-- `email` and `name` are copies: inside an organization people show these, and never need the directory.
create table memberships (
  organization_id uuid not null,
  user_id uuid not null,
  email text not null,
  name text,
  role text not null check (role in ('owner', 'admin', 'billing', 'member')),
  per_order_limit_credits bigint check (per_order_limit_credits >= 0),
  spend_limit_credits bigint check (spend_limit_credits >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, user_id)
);
select swath_tenant_table('memberships');

create table projects (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  region text,
  storage_bucket text,
  is_archived boolean not null,
  created_by text not null,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id)
);
create index projects_newest on projects (organization_id, created_at desc, id desc) where deleted_at is null;
select swath_tenant_table('projects');

create table project_members (
  organization_id uuid not null,
  project_id uuid not null,
  user_id uuid not null,
  role text not null check (role in ('owner', 'admin', 'editor', 'viewer')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, project_id, user_id),
  foreign key (organization_id, project_id) references projects (organization_id, id),
  foreign key (organization_id, user_id) references memberships (organization_id, user_id) on delete cascade
);
create index project_members_user on project_members (organization_id, user_id);
select swath_tenant_table('project_members');

create table api_keys (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  permissions text[] not null,
  rate_limit integer,
  created_by uuid not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
select swath_tenant_table('api_keys');

-- Global directory: SHA-256 of a key to the organization that it opens.
create table api_key_directory (
  key_hash text collate "C" primary key,
  organization_id uuid not null,
  key_id uuid not null
);
select swath_directory_table('api_key_directory');

-- One sign-in and every token that came out of it. Global: a refresh token is looked up before anybody knows whose it is.
create table sessions (
  id uuid primary key,
  kind text not null check (kind in ('human', 'api_key')),
  user_id uuid,
  key_id uuid,
  organization_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text,
  check ((kind = 'human' and user_id is not null) or (kind = 'api_key' and key_id is not null and organization_id is not null))
);
create index sessions_expiry on sessions (expires_at);
create index sessions_user on sessions (user_id) where user_id is not null;
create index sessions_key on sessions (key_id) where key_id is not null;
select swath_directory_table('sessions');

create table refresh_tokens (
  token_hash text collate "C" primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index refresh_tokens_session on refresh_tokens (session_id);
select swath_directory_table('refresh_tokens');

-- What other processes must look up again: a session ended, a key was revoked, a person's role changed.
create table principal_changes (
  id uuid primary key,
  subject text not null,
  changed_at timestamptz not null default statement_timestamp()
);
create index principal_changes_time on principal_changes (changed_at);
select swath_directory_table('principal_changes');

-- One row: the keys that sign tokens, their private halves sealed.
create table signing_key_ring (
  id integer primary key check (id = 1),
  version integer not null,
  keys jsonb not null
);
select swath_directory_table('signing_key_ring');
