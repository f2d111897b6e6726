-- The share of organizations that have a feature; a flag without a row has the share that the code declares.
create table feature_flags (
  flag text primary key,
  percent integer not null check (percent between 0 and 100),
  updated_at timestamptz not null
);
select swath_shared_table('feature_flags');

-- Organizations for which an operator has switched a feature on or off.
create table feature_flag_switches (
  organization_id uuid not null,
  flag text not null,
  enabled boolean not null,
  updated_at timestamptz not null,
  primary key (organization_id, flag)
);
select swath_tenant_table('feature_flag_switches');
