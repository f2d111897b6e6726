-- Tasking: what each area of an order shall acquire and how far its host is, the decisions of the customer, and templates.

-- Until when an accepted order can be cancelled; null: its policy names no time.
alter table orders add column cancel_by timestamptz;

create table tasking_groups (
  organization_id uuid not null,
  -- The id of the task at its host, which accepts an id once.
  id uuid not null,
  order_id uuid not null,
  position integer not null,
  name text,
  host text not null,
  product text not null,
  geometry jsonb not null,
  -- What the host is asked for, beside the area: the window and the constraints.
  constraints jsonb not null,
  -- The line of the price list, kept for the hold of a price that is accepted later.
  area_km2 double precision not null,
  price jsonb,
  list_price jsonb,
  commitment_id uuid,
  credits bigint not null check (credits >= 0),
  cancel_hours double precision,
  cancel_fee_pct double precision not null,
  item_id uuid not null,
  reference text,
  stage text not null,
  planned_at timestamptz,
  collects jsonb not null default '[]',
  failure_code text,
  failure_text text,
  -- Delivered, or nothing more is to come.
  ended_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, order_id, position),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
select swath_tenant_table('tasking_groups');

create table tasking_status_changes (
  organization_id uuid not null,
  order_id uuid not null,
  position integer not null,
  at timestamptz not null,
  from_sub_status text,
  to_sub_status text not null,
  reason_code text,
  reason_text text,
  actor text,
  primary key (organization_id, order_id, position),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
select swath_tenant_table('tasking_status_changes', 'select, insert');

-- What the customer decides: the options of a feasibility study, or the price of a quotation.
create table tasking_decisions (
  organization_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('feasibility', 'quotation')),
  order_id uuid not null,
  project_id uuid not null,
  decision text not null,
  -- Of a study: who answered it, its options and the accepted one.
  type text check (type in ('AUTO', 'MANUAL')),
  options jsonb,
  option_id text,
  -- Of a quotation.
  credits_price bigint check (credits_price >= 0),
  decided_at timestamptz,
  decided_by text,
  decide_by timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  check (kind <> 'feasibility' or (type is not null and options is not null)),
  check (kind <> 'quotation' or credits_price is not null),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
create index tasking_decisions_order on tasking_decisions (organization_id, order_id);
create index tasking_decisions_open on tasking_decisions (organization_id, decide_by) where decision = 'NOT_DECIDED';
select swath_tenant_table('tasking_decisions');

create table tasking_templates (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  description text,
  settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, name)
);
select swath_tenant_table('tasking_templates');
