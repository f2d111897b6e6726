-- What is billed by the month: numbers of documents, the invoice of a true-up, statements that stay as they were.

-- Documents are never deleted, so the next number of a kind is one more than there are, counted under the lock of the head.
alter table ledger_heads drop column documents;
create index invoices_of_kind on invoices (organization_id, kind);

-- What an enterprise was charged is looked through every month.
create index credit_holds_enterprise on credit_holds (organization_id, created_at) where mode = 'enterprise';

-- The invoice that the true-up of a closed period went into.
alter table commitments
  add column invoice_id uuid,
  add foreign key (organization_id, invoice_id) references invoices (organization_id, id);
create index charge_lines_commitment on charge_lines (organization_id, commitment_id) where commitment_id is not null;
create trigger commitment_versions_immutable before update or delete on commitment_versions
  for each row execute function refuse_change();

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
create trigger monthly_runs_immutable before update or delete on monthly_runs
  for each row execute function refuse_change();
create trigger invoiced_charges_immutable before update or delete on invoiced_charges
  for each row execute function refuse_change();
