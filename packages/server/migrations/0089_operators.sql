-- Changes of the roles that a user has on the platform: one operator requests a change and another one decides it. Null leaves a
-- role as it is. `decided_alone`: there was no other operator, so that the request held at once.
create table role_changes (
  id uuid primary key,
  user_id uuid not null references users (id),
  operator boolean,
  clip_user boolean,
  reason text not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  requested_by uuid not null,
  requested_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  decided_alone boolean not null default false,
  check (operator is not null or clip_user is not null),
  check ((status = 'pending') = (decided_by is null)),
  check (status <> 'approved' or decided_by <> requested_by or decided_alone)
);
create index role_changes_newest on role_changes (requested_at desc, id desc);
create unique index role_changes_pending on role_changes (user_id) where status = 'pending';
select swath_directory_table('role_changes');

-- Support access: an operator asks to read in an organization, and an owner of it grants that for a time.
create table support_accesses (
  organization_id uuid not null,
  id uuid not null,
  operator_id uuid not null,
  operator_email text not null,
  reason text not null,
  hours integer not null check (hours between 1 and 168),
  status text not null check (status in ('requested', 'granted', 'refused', 'ended')),
  requested_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  expires_at timestamptz not null,
  ended_by uuid,
  ended_at timestamptz,
  primary key (organization_id, id),
  check ((status in ('granted', 'refused')) <= (decided_by is not null)),
  check ((status = 'ended') = (ended_by is not null))
);
create unique index support_accesses_requested on support_accesses (organization_id, operator_id) where status = 'requested';
create index support_accesses_newest on support_accesses (organization_id, requested_at desc, id desc);
select swath_tenant_table('support_accesses');

-- The access under which an operator reads. Null in tokens of before, which are valid for at most an hour.
alter table impersonations add column support_access_id uuid;
