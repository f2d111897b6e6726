-- What each organization stores, as a journal of bytes beside the assets; the comparisons of it with the storage, and its corrections.

-- One row for every time that bytes of an asset came or went: nothing is changed afterwards, a correction is a row more. Without an asset
-- a row speaks of the organization as a whole. There is no key to assets: the journal outlives them.
create table storage_journal (
  organization_id uuid not null,
  id uuid not null,
  asset_id uuid,
  object_path text collate "C" not null,
  bytes_delta bigint not null check (bytes_delta <> 0),
  cause text not null,
  actor_kind text not null,
  actor_id text not null,
  operation text not null,
  request_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index storage_journal_asset on storage_journal (organization_id, asset_id);
select swath_tenant_table('storage_journal', 'select, insert');

-- Why a row of the journal corrects it; both have one id.
create table storage_corrections (
  organization_id uuid not null,
  id uuid not null,
  asset_id uuid,
  bytes_delta bigint not null,
  reason text not null,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, id) references storage_journal (organization_id, id)
);
create index storage_corrections_newest on storage_corrections (created_at desc, id desc);
select swath_tenant_table('storage_corrections', 'select, insert');

create table reconciliation_runs (
  organization_id uuid not null,
  id uuid not null,
  threshold_bytes bigint not null,
  journal_bytes bigint not null,
  stored_bytes bigint not null,
  drift_bytes bigint not null,
  flagged boolean not null,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  primary key (organization_id, id),
  check (drift_bytes = journal_bytes - stored_bytes),
  check (flagged = (abs(drift_bytes) > threshold_bytes))
);
create index reconciliation_runs_newest on reconciliation_runs (started_at desc, id desc);
select swath_tenant_table('reconciliation_runs', 'select, insert');

create trigger storage_journal_immutable before update or delete on storage_journal
  for each row execute function refuse_change();
create trigger storage_corrections_immutable before update or delete on storage_corrections
  for each row execute function refuse_change();
create trigger reconciliation_runs_immutable before update or delete on reconciliation_runs
  for each row execute function refuse_change();
