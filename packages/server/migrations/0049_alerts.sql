-- Conditions on the pixels of new items, and what they found.
create table alert_rules (
  organization_id uuid not null,
  id uuid not null,
  -- Null: the items of every project that the user may read.
  project_id uuid,
  collection_id uuid,
  name text not null,
  description text,
  event_types text[] not null,
  expression text not null,
  statistic text not null,
  aoi jsonb,
  comparison text not null,
  threshold double precision not null,
  threshold_upper double precision,
  hysteresis double precision check (hysteresis >= 0),
  asset_key text not null,
  band_mapping jsonb not null,
  notification_channels text[] not null,
  active boolean not null,
  cooldown_minutes integer not null check (cooldown_minutes >= 0),
  -- False from a trigger until the value has returned beyond the threshold by the hysteresis.
  is_armed boolean not null,
  last_triggered_at timestamptz,
  created_by text not null,
  -- Whose projects bound what is evaluated; null for the platform itself.
  user_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id)
);
create index alert_rules_active on alert_rules (organization_id) where active;
create index alert_rules_project on alert_rules (organization_id, project_id);
select swath_tenant_table('alert_rules');

-- What was measured of an item: one row for each rule and item, written in the transaction of the event that causes it, so that a rule
-- has one effect on an item, whatever is killed or runs twice.
create table alert_evaluations (
  organization_id uuid not null,
  rule_id uuid not null,
  item_id uuid not null,
  event_type text not null,
  state text not null check (state in ('pending', 'measured', 'skipped')),
  value double precision,
  outcome text,
  -- Why nothing was measured.
  reason text,
  created_at timestamptz not null,
  evaluated_at timestamptz,
  primary key (organization_id, rule_id, item_id),
  foreign key (organization_id, rule_id) references alert_rules (organization_id, id) on delete cascade,
  check ((state = 'pending') = (evaluated_at is null))
);
create index alert_evaluations_pending on alert_evaluations (organization_id, item_id) where state = 'pending';
select swath_tenant_table('alert_evaluations');

-- Of deleted rules as well: no foreign key.
create table alert_events (
  organization_id uuid not null,
  id uuid not null,
  rule_id uuid not null,
  item_id uuid not null,
  project_id uuid not null,
  event_type text not null,
  expression text not null,
  statistic text not null,
  asset_key text not null,
  computed_value double precision not null,
  comparison text not null,
  threshold double precision not null,
  threshold_upper double precision,
  previous_item_id uuid,
  acknowledged_by text,
  acknowledged_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create unique index alert_events_once on alert_events (organization_id, rule_id, item_id);
create index alert_events_newest on alert_events (organization_id, created_at desc, id desc);
select swath_tenant_table('alert_events');
