-- Files that an analysis wrote: kept until they expire, then deleted by a sweep.
create table analytics_results (
  organization_id uuid not null,
  id uuid not null,
  method text not null,
  blob_path text not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, id)
);
create index analytics_results_expiry on analytics_results (organization_id, expires_at);
select swath_tenant_table('analytics_results');
