-- What is billed by the month: documents with a number, contracts, closed months, statements and grants.

-- Documents with a number: what they say is fixed when they are issued, only their fate is not.
create table invoices (
  organization_id uuid not null,
  id uuid not null,
  number text not null,
  kind text not null check (kind in ('invoice', 'receipt', 'credit_note')),
  period text,
  status text not null check (status in ('draft', 'open', 'paid', 'uncollectible', 'void')),
  total_cents bigint not null check (total_cents >= 0),
  gst_cents bigint check (gst_cents >= 0),
  corrects_id uuid,
  reference_type text,
  reference_id text collate "C",
  document jsonb not null,
  issued_at timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, number)
);
create index invoices_newest on invoices (organization_id, created_at desc);
create index invoices_of_kind on invoices (organization_id, kind);
create unique index invoices_of_period on invoices (organization_id, period) where kind = 'invoice' and status <> 'void';
create unique index invoices_of_reference on invoices (organization_id, kind, reference_type, reference_id) where reference_id is not null;
select swath_tenant_table('invoices', 'select, insert, update');

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'status' - 'paid_at' is distinct from to_jsonb(old) - 'status' - 'paid_at' then
    raise exception 'what % says is never changed', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger invoices_fixed before update on invoices for each row execute function refuse_rewriting();
create trigger invoices_kept before delete on invoices for each row execute function refuse_change();

-- Take-or-pay contracts. Terms are never changed in place: an amendment is a further version.
create table commitments (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  committed_cents bigint not null check (committed_cents >= 0),
  carried_in_cents bigint not null default 0 check (carried_in_cents >= 0),
  version integer not null,
  closed_at timestamptz,
  delivered_cents bigint,
  shortfall_cents bigint,
  true_up_entry_id uuid,
  -- The invoice that the true-up went into.
  invoice_id uuid,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id),
  check (period_end > period_start)
);
select swath_tenant_table('commitments');

create table commitment_versions (
  organization_id uuid not null,
  commitment_id uuid not null,
  version integer not null,
  name text not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  committed_cents bigint not null,
  carried_in_cents bigint not null,
  -- [{ product, unit, rate_credits }], the rate as decimal text.
  products jsonb not null,
  reason text,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, commitment_id, version),
  foreign key (organization_id, commitment_id) references commitments (organization_id, id)
);
select swath_tenant_table('commitment_versions', 'select, insert');
create trigger commitment_versions_immutable before update or delete on commitment_versions
  for each row execute function refuse_change();

create index charge_lines_commitment on charge_lines (organization_id, commitment_id) where commitment_id is not null;

-- Which invoice, ours or an outside one, a charge of an enterprise went into: exactly one.
create table invoiced_charges (
  organization_id uuid not null,
  hold_id uuid not null,
  invoice_id uuid,
  reference text,
  note text,
  actor text not null,
  created_at timestamptz not null,
  primary key (organization_id, hold_id),
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id),
  check ((invoice_id is null) <> (reference is null))
);
select swath_tenant_table('invoiced_charges', 'select, insert');
create trigger invoiced_charges_immutable before update or delete on invoiced_charges
  for each row execute function refuse_change();

-- A month that was closed for an organization; its key is why it happens once.
create table monthly_runs (
  organization_id uuid not null,
  period text not null,
  invoice_id uuid,
  trued_up_cents bigint not null,
  expired_credits bigint not null,
  granted_credits bigint not null,
  created_at timestamptz not null,
  primary key (organization_id, period),
  foreign key (organization_id, invoice_id) references invoices (organization_id, id)
);
select swath_tenant_table('monthly_runs', 'select, insert');
create trigger monthly_runs_immutable before update or delete on monthly_runs
  for each row execute function refuse_change();

create table free_tier_decisions (
  organization_id uuid primary key,
  state text not null check (state in ('approved', 'revoked')),
  decided_by text not null,
  decided_at timestamptz not null
);
select swath_tenant_table('free_tier_decisions');

-- Grants that come once in a month, by the month.
create table monthly_grants (
  organization_id uuid not null,
  period text not null,
  entry_id uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, period),
  foreign key (organization_id, entry_id) references journal_entries (organization_id, id)
);
select swath_tenant_table('monthly_grants', 'select, insert');

-- What a closed month said when it was closed; a month without a row had no lines.
create table monthly_statements (
  organization_id uuid not null,
  period text not null,
  statement jsonb not null,
  created_at timestamptz not null,
  primary key (organization_id, period)
);
select swath_tenant_table('monthly_statements', 'select, insert');
create trigger monthly_statements_immutable before update or delete on monthly_statements
  for each row execute function refuse_change();
