-- What users are told, on which channels, and the e-mails.
create table notifications (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  event_id uuid not null,
  kind text not null,
  title text not null,
  body text not null,
  link text not null,
  -- Only for those who may read it; null if it is about the organization.
  project_id uuid,
  entity_type text not null,
  entity_id text not null,
  -- False if it is only sent by e-mail.
  is_in_app boolean not null,
  read_at timestamptz,
  dismissed_at timestamptz,
  -- The e-mail that has it, alone or with others.
  email_id uuid,
  -- When the daily e-mail that will have it is due.
  digest_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
-- An event tells a user once.
create unique index notifications_once on notifications (organization_id, user_id, event_id);
create index notifications_newest on notifications (organization_id, user_id, created_at desc, id desc)
  where is_in_app and dismissed_at is null;
create index notifications_email on notifications (organization_id, email_id) where email_id is not null;
create index notifications_digest on notifications (organization_id, digest_at) where digest_at is not null;
select swath_tenant_table('notifications');

create table notification_preferences (
  organization_id uuid not null,
  user_id uuid not null,
  kind text not null,
  in_app boolean not null,
  email text not null check (email in ('off', 'immediate', 'daily')),
  updated_at timestamptz not null,
  primary key (organization_id, user_id, kind)
);
select swath_tenant_table('notification_preferences');

-- One row for each e-mail, with all its attempts.
create table emails (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  -- A kind of notification, or `digest`.
  kind text not null,
  state text not null check (state in ('pending', 'sent', 'failed', 'cancelled')),
  attempts integer not null default 0 check (attempts >= 0),
  -- When it is tried next; an attempt in progress is due again at the end of its lease.
  next_attempt_at timestamptz,
  recipient text,
  error text,
  finished_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'pending') = (finished_at is null))
);
create index emails_due on emails (organization_id, next_attempt_at) where next_attempt_at is not null;
select swath_tenant_table('emails');
