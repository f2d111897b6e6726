-- A person may be in several organizations. The memberships are rows of the organizations; this directory says, before one of them is
-- known, in which a person is. It is written in the transactions that write memberships. `users.organization_id` is from now on the
-- organization that the person chose last. The previous version writes only that column, so whoever lists the organizations of a person
-- adds it.
create table user_organizations (
  user_id uuid not null,
  organization_id uuid not null,
  joined_at timestamptz not null,
  primary key (user_id, organization_id)
);
create index user_organizations_organization on user_organizations (organization_id);
select swath_directory_table('user_organizations');

select swath_owner_sees(true, 'users', 'user_organizations');
insert into user_organizations (user_id, organization_id, joined_at)
select id, organization_id, created_at from users where organization_id is not null;
select swath_owner_sees(false, 'users', 'user_organizations');

-- The organization that the authorization request named; null for the one that the person chose last.
alter table authorization_codes add column organization_id uuid;

-- Invitations by e-mail. `projects` is a list of {"project_id", "role"}. A pending invitation whose time is over has expired; the state
-- of its row says so only once its address is invited again. The token is null until an e-mail has one, and after the invitation was
-- renewed.
create table invitations (
  organization_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text collate "C" not null,
  role text not null check (role in ('owner', 'admin', 'billing', 'member')),
  projects jsonb not null,
  state text not null check (state in ('pending', 'accepted', 'revoked', 'expired')),
  token_hash text collate "C",
  invited_by uuid not null,
  accepted_by uuid,
  created_at timestamptz not null,
  renewed_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  decided_at timestamptz,
  primary key (organization_id, id),
  check ((state = 'pending') = (decided_at is null)),
  check ((state = 'accepted') = (accepted_by is not null))
);
create unique index invitations_pending on invitations (organization_id, email_key) where state = 'pending';
create index invitations_newest on invitations (organization_id, created_at desc, id desc);
select swath_tenant_table('invitations');

-- SHA-256 of the token in an e-mail to the organization that invites.
create table invitation_token_directory (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  invitation_id uuid not null
);
create index invitation_token_directory_invitation on invitation_token_directory (organization_id, invitation_id);
select swath_directory_table('invitation_token_directory');
