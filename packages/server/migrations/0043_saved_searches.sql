-- Searches of the catalogue that are repeated for new scenes, and orders for what they find.
create table saved_searches (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  -- Null for all sources, also those that are configured later.
  source_ids text[],
  filters jsonb not null,
  notify boolean not null,
  created_by text not null,
  created_at timestamptz not null,
  last_matched_at timestamptz,
  -- Null if it is not repeated.
  next_run_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id)
);
create unique index saved_searches_name on saved_searches (organization_id, project_id, lower(name));
create index saved_searches_due on saved_searches (organization_id, next_run_at) where next_run_at is not null;
select swath_tenant_table('saved_searches');

create table saved_search_sources (
  organization_id uuid not null,
  search_id uuid not null,
  source_id text collate "C" not null,
  -- A scene that was acquired later is new also to the first successful run.
  watched_since timestamptz not null,
  -- The last successful run.
  last_run_at timestamptz,
  failures integer not null default 0 check (failures >= 0),
  error text,
  next_run_at timestamptz not null,
  primary key (organization_id, search_id, source_id),
  foreign key (organization_id, search_id) references saved_searches (organization_id, id) on delete cascade
);
select swath_tenant_table('saved_search_sources');

-- Scenes that the runs have seen: the key lets each be announced once, whatever is killed or runs twice.
create table saved_search_scenes (
  organization_id uuid not null,
  search_id uuid not null,
  source_id text collate "C" not null,
  scene_id text collate "C" not null,
  acquired_at timestamptz not null,
  -- Null for a scene that was there before the search was saved.
  matched_at timestamptz,
  primary key (organization_id, search_id, source_id, scene_id),
  foreign key (organization_id, search_id) references saved_searches (organization_id, id) on delete cascade
);
create index saved_search_scenes_newest on saved_search_scenes (organization_id, search_id, matched_at desc)
  where matched_at is not null;
select swath_tenant_table('saved_search_scenes');

create table standing_orders (
  organization_id uuid not null,
  id uuid not null,
  -- Of the module below: no foreign key, because the order outlives the search.
  saved_search_id uuid not null,
  project_id uuid not null,
  name text not null,
  -- What is bought of each scene.
  area jsonb not null,
  mode text not null check (mode in ('buy', 'ask')),
  data_product_id text,
  license_type text,
  max_credits_per_scene bigint not null check (max_credits_per_scene >= 0),
  max_credits_per_month bigint not null check (max_credits_per_month >= 0),
  status text not null check (status in ('active', 'paused', 'suspended')),
  status_reason text,
  capped_until timestamptz,
  created_by uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id)
);
create index standing_orders_search on standing_orders (organization_id, saved_search_id);
create index standing_orders_project on standing_orders (organization_id, project_id);
select swath_tenant_table('standing_orders');

create table standing_order_scenes (
  organization_id uuid not null,
  standing_order_id uuid not null,
  source_id text collate "C" not null,
  scene_id text collate "C" not null,
  acquired_at timestamptz not null,
  status text not null check (status in ('pending', 'proposed', 'ordered', 'rejected', 'skipped')),
  reason text,
  credits bigint check (credits >= 0),
  order_id uuid,
  attempts integer not null default 0 check (attempts >= 0),
  -- When a pending scene is tried next.
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, standing_order_id, source_id, scene_id),
  foreign key (organization_id, standing_order_id) references standing_orders (organization_id, id) on delete cascade,
  foreign key (organization_id, order_id) references orders (organization_id, id),
  check ((status = 'pending') = (next_attempt_at is not null)),
  check ((status = 'ordered') = (order_id is not null))
);
create index standing_order_scenes_due on standing_order_scenes (organization_id, next_attempt_at) where next_attempt_at is not null;
create index standing_order_scenes_newest on standing_order_scenes (organization_id, standing_order_id, created_at desc);
create unique index standing_order_scenes_order on standing_order_scenes (organization_id, order_id) where order_id is not null;
select swath_tenant_table('standing_order_scenes');
