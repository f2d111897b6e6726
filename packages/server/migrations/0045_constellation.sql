-- The simulated constellation: a provider of its own that happens to keep its schedule here. The app role sees none of it.
-- `world_id` is `live`, which all real organizations share, or the id of a sandbox organization.

-- One row for each satellite: whoever books a pass locks it.
create table constellation_schedules (
  world_id text collate "C" not null,
  satellite text collate "C" not null,
  primary key (world_id, satellite)
);
select swath_directory_table('constellation_schedules');

create table constellation_tasks (
  world_id text collate "C" not null,
  id text collate "C" not null,
  product text not null,
  request jsonb not null,
  replan boolean not null,
  placed_at timestamptz not null,
  cancelled_at timestamptz,
  -- When a status first said that the scene is ready; it is delivered from then on.
  released_at timestamptz,
  primary key (world_id, id)
);
select swath_directory_table('constellation_tasks');

-- The passes that a task has, in their order: those before the last are clouded, as it turns out when they are flown.
create table constellation_collects (
  world_id text collate "C" not null,
  task_id text collate "C" not null,
  number integer not null,
  satellite text collate "C" not null,
  acquired_at timestamptz not null,
  cloud_pct double precision not null check (cloud_pct between 0 and 100),
  is_accepted boolean not null,
  -- True if the satellite flies the same track for all: the pass is shared and occupies nothing.
  is_shared boolean not null,
  opportunity jsonb not null,
  primary key (world_id, task_id, number),
  foreign key (world_id, task_id) references constellation_tasks (world_id, id) on delete cascade
);
create index constellation_collects_pass on constellation_collects (world_id, satellite, acquired_at);
select swath_directory_table('constellation_collects');

create table constellation_studies (
  world_id text collate "C" not null,
  id text collate "C" not null,
  requested_at timestamptz not null,
  primary key (world_id, id)
);
select swath_directory_table('constellation_studies');
