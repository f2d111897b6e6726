-- Generated reports and their schedules. A report belongs to the user who could read what it is about.
create table reports (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  report_type text not null,
  project_id uuid,
  area_name text,
  from_at timestamptz not null,
  to_at timestamptz not null,
  schedule_id uuid,
  -- Null while they are being made: the row is written first, so that the sweep finds the files of a process that was killed.
  files jsonb,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id)
);
create index reports_newest on reports (organization_id, user_id, created_at desc, id desc);
create index reports_expiry on reports (organization_id, expires_at);
select swath_tenant_table('reports');

create table report_schedules (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  name text not null,
  report_type text not null,
  formats text[] not null,
  project_id uuid,
  area jsonb,
  area_name text,
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  -- Null for a schedule that has ended, with the reason.
  next_run_at timestamptz,
  last_run_at timestamptz,
  ended_reason text,
  created_at timestamptz not null,
  primary key (organization_id, id),
  check ((next_run_at is null) = (ended_reason is not null))
);
create index report_schedules_user on report_schedules (organization_id, user_id, created_at desc, id desc);
create index report_schedules_due on report_schedules (organization_id, next_run_at) where next_run_at is not null;
select swath_tenant_table('report_schedules');

-- Files that an e-mail brings: path, name and media type of each.
alter table emails add column attachments jsonb not null default '[]';
