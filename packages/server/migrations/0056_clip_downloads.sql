-- Who downloaded which mosaic of a clip job.

create table clip_downloads (
  organization_id uuid not null,
  job_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  mosaic_type text not null,
  actor text not null,
  user_agent text,
  requester_ip text,
  primary key (organization_id, job_id, id),
  foreign key (organization_id, job_id) references processing_jobs (organization_id, id)
);
select swath_tenant_table('clip_downloads', 'select, insert');
