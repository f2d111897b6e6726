-- Orders, their captures, the hosts they went to, and every step they took.

create table orders (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  collection_id uuid,
  type text not null check (type in ('archive', 'tasking')),
  status text not null,
  sub_status text,
  display_name text not null,
  tags text[] not null default '{}',
  licence_type text,
  data_product_id text,
  billing_mode text not null,
  hold_id uuid,
  total_credits bigint not null check (total_credits >= 0),
  captured_credits bigint not null default 0,
  refunded_credits bigint not null default 0,
  groups jsonb not null,
  fulfillment text check (fulfillment in ('complete', 'partial', 'none')),
  failure_code text,
  failure_text text,
  -- When it wants to be looked at again, because one of its hosts is still working; null while it does not wait for one.
  ask_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id),
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id)
);
create index orders_newest on orders (organization_id, created_at desc, id);
create index orders_project on orders (organization_id, project_id);
create index orders_open on orders (organization_id, updated_at)
  where status not in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED');
select swath_tenant_table('orders');

-- One piece of imagery of an order, as it was priced. The item that it becomes is named from the start, so that a
-- delivery that is tried again writes the same item and the same files.
create table order_captures (
  organization_id uuid not null,
  order_id uuid not null,
  position integer not null,
  host text not null,
  scene_id text not null,
  item_id uuid not null,
  collection text not null,
  scene jsonb not null,
  geometry jsonb not null,
  credits bigint not null,
  licence text not null,
  delivered_at timestamptz,
  primary key (organization_id, order_id, position),
  unique (organization_id, item_id),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
select swath_tenant_table('order_captures');

create table order_hosts (
  organization_id uuid not null,
  order_id uuid not null,
  host text not null,
  reference text,
  primary key (organization_id, order_id, host),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
select swath_tenant_table('order_hosts');

create table order_status_changes (
  organization_id uuid not null,
  order_id uuid not null,
  position integer not null,
  at timestamptz not null,
  from_status text,
  to_status text not null,
  reason_code text,
  reason_text text,
  actor text,
  primary key (organization_id, order_id, position),
  foreign key (organization_id, order_id) references orders (organization_id, id)
);
select swath_tenant_table('order_status_changes', 'select, insert');
