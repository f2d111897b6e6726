-- Who accepted which version of a licence agreement for the organization, and who withdrew it. The agreements are in the file of hosts,
-- so a row has what proves the accepted text. Rows are added only; the last one of a document is what applies.
create table eula_acceptances (
  organization_id uuid not null,
  id uuid not null,
  eula_id uuid not null,
  document_id uuid not null,
  -- Numbers the decisions on a document: of two at the same moment, one is written.
  revision integer not null check (revision > 0),
  is_accepted boolean not null,
  title text not null,
  version text not null,
  content_sha256 text not null,
  actor_kind text not null,
  actor_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, document_id, revision)
);
create index eula_acceptances_newest on eula_acceptances (organization_id, created_at desc, document_id, revision desc);
select swath_tenant_table('eula_acceptances', 'select, insert');
