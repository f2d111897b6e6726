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
