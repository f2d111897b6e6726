-- Why an organization is suspended, and since when; null while it is not.
alter table organizations add column suspended_at timestamptz, add column suspended_reason text;

-- Adjustments of wallets that one operator requests and another one decides. They belong to the operators, not to the
-- organization, which sees the journal entry of an approved one.
create table credit_adjustments (
  id uuid primary key,
  organization_id uuid not null,
  amount_credits bigint not null check (amount_credits <> 0),
  reason text not null,
  status text not null check (status in ('pending', 'approved', 'rejected')),
  requested_by uuid not null,
  requested_at timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  decision_reason text,
  transaction_id uuid,
  check ((status = 'pending') = (decided_by is null)),
  check (status <> 'approved' or decided_by <> requested_by),
  check ((status = 'approved') = (transaction_id is not null))
);
create index credit_adjustments_newest on credit_adjustments (status, requested_at desc, id);
select swath_directory_table('credit_adjustments');

-- Tokens with which an operator reads as a user. Only the hash of a token is stored.
create table impersonations (
  token_hash text collate "C" primary key,
  id uuid not null unique,
  administrator_id uuid not null references users (id),
  organization_id uuid not null,
  user_id uuid not null references users (id),
  reason text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
select swath_directory_table('impersonations');
