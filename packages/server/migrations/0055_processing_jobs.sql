-- Processing jobs: what is made of which assets, the two axes of each job (execution and settlement), its log, and the tokens
-- with which programs outside of the server register its outputs.

create table processing_jobs (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  collection_id uuid,
  process_id text not null,
  process_version text not null,
  status text not null,
  settlement text not null,
  billing_mode text not null,
  hold_id uuid,
  held_credits bigint not null check (held_credits >= 0),
  captured_credits bigint not null default 0 check (captured_credits between 0 and held_credits),
  -- As the caller wrote them.
  inputs jsonb not null,
  -- The items that are written, with the assets and processes they are made of (`plan.ts`). Their ids are set from the start,
  -- so that a job that runs again writes the same items and the same files.
  plan jsonb not null,
  -- SHA-256 of the process, its version, parameters and the checksums of its sources; null if a source has no checksum.
  result_key text,
  -- The job whose result this one shares.
  reused_job_id uuid,
  -- Who executes it: the server, or a program outside of it.
  worker text not null check (worker in ('server', 'external')),
  -- Counts the workers that took the job; only the last one may write.
  attempt integer not null default 0,
  -- When the worker is taken to be dead; null while none has the job.
  lease_until timestamptz,
  progress double precision not null default 0 check (progress between 0 and 1),
  item_ids uuid[] not null default '{}',
  -- Inputs, code version, parameters and checksums of a completed job.
  receipt jsonb,
  failure_code text,
  failure_text text,
  -- The area whose mosaics a clip job cuts.
  clip_area text,
  -- A clip starts without being dispatched: it goes from pending to running.
  auto_start boolean not null,
  created_by text not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null,
  -- Deleted jobs are not listed; their items and lineage stay.
  deleted_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references projects (organization_id, id),
  -- The hold is written at the end of the transaction that writes the job.
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id) deferrable initially deferred,
  check ((status in ('completed', 'failed', 'cancelled')) = (settlement <> 'reserved'))
);
create index processing_jobs_newest on processing_jobs (organization_id, created_at desc, id);
create index processing_jobs_project on processing_jobs (organization_id, project_id, created_at desc);
create index processing_jobs_result on processing_jobs (organization_id, project_id, result_key) where status = 'completed';
create index processing_jobs_open on processing_jobs (organization_id, updated_at)
  where status in ('pending', 'dispatched', 'running');
select swath_tenant_table('processing_jobs');

create table processing_job_log (
  organization_id uuid not null,
  job_id uuid not null,
  -- Sorts by time.
  id uuid not null,
  at timestamptz not null,
  level text not null check (level in ('info', 'warning', 'error')),
  message text not null,
  primary key (organization_id, job_id, id),
  foreign key (organization_id, job_id) references processing_jobs (organization_id, id)
);
select swath_tenant_table('processing_job_log', 'select, insert');

-- One token of one job; a new one replaces it.
create table worker_tokens (
  organization_id uuid not null,
  job_id uuid not null,
  token_hash text collate "C" not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (organization_id, job_id)
);
select swath_tenant_table('worker_tokens');

-- Global directory: SHA-256 of a token to the organization and the job that it belongs to.
create table worker_token_directory (
  token_hash text collate "C" primary key,
  organization_id uuid not null,
  job_id uuid not null
);
create index worker_token_directory_job on worker_token_directory (organization_id, job_id);
select swath_directory_table('worker_token_directory');
