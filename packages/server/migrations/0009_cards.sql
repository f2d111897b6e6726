-- Saved cards and what they pay for: authorisations of orders, top-ups, approvals, refunds, disputes; what the processor
-- tells; and work on money whose retries have ended.

-- Who an organization is to the payment processor. `env` keeps customers of the embedded one and of another apart.
create table payment_customers (
  organization_id uuid not null,
  env text not null,
  customer text not null,
  created_at timestamptz not null,
  primary key (organization_id, env)
);
select swath_tenant_table('payment_customers');

create table payment_methods (
  organization_id uuid not null,
  id uuid not null,
  env text not null,
  payment_method_id text not null,
  kind text not null,
  brand text,
  last4 text,
  exp_month integer,
  exp_year integer,
  is_default boolean not null,
  created_by text not null,
  created_at timestamptz not null,
  detached_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, env, payment_method_id)
);
create unique index payment_methods_default on payment_methods (organization_id, env) where is_default and detached_at is null;
select swath_tenant_table('payment_methods');

-- Cards that were asked for the price of something. `starting`: the processor is being asked, or the answer was lost.
create table card_authorisations (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid,
  payment_method_id uuid not null,
  amount_credits bigint not null check (amount_credits > 0),
  reference_type text not null,
  reference_id text collate "C" not null,
  state text not null check (state in ('starting', 'action', 'authorised', 'capturing', 'captured', 'voiding', 'voided')),
  -- Counts the times that the card was asked; part of the key that the processor is given.
  generation integer not null default 1,
  intent text,
  capture_before timestamptz,
  hold_id uuid,
  captured_credits bigint not null default 0 check (captured_credits between 0 and amount_credits),
  refunded_credits bigint not null default 0 check (refunded_credits between 0 and captured_credits),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id),
  foreign key (organization_id, payment_method_id) references payment_methods (organization_id, id)
);
create unique index card_authorisations_hold on card_authorisations (organization_id, hold_id) where hold_id is not null;
create index card_authorisations_open on card_authorisations (organization_id, user_id) where hold_id is null;
select swath_tenant_table('card_authorisations');

create table topups (
  organization_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('topup', 'auto', 'approval')),
  credits bigint not null check (credits > 0),
  payment_method_id uuid not null,
  approval_id uuid,
  -- The key that the processor was asked under, so that an answer which was lost comes again whoever asks: the caller's own
  -- and how often it was tried with it, or without one the id of the row.
  idempotency_key text collate "C",
  attempt integer not null default 1 check (attempt > 0),
  intent text,
  state text not null check (state in ('starting', 'action', 'succeeded', 'failed')),
  failure_code text,
  -- The entry that granted the credits, and the lot that they became.
  entry_id uuid,
  lot_id uuid,
  refunded_credits bigint not null default 0 check (refunded_credits between 0 and credits),
  requested_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  unique (organization_id, intent),
  foreign key (organization_id, payment_method_id) references payment_methods (organization_id, id),
  foreign key (organization_id, entry_id) references journal_entries (organization_id, id)
);
-- At most one automatic top-up is under way.
create unique index topups_one_automatic on topups (organization_id) where kind = 'auto' and state in ('starting', 'action');
create unique index topups_of_key on topups (organization_id, idempotency_key, attempt) where idempotency_key is not null;
create index topups_of_approval on topups (organization_id, approval_id) where approval_id is not null;
create index topups_newest on topups (organization_id, created_at desc);
select swath_tenant_table('topups');

create table auto_topups (
  organization_id uuid primary key,
  enabled boolean not null,
  threshold_credits bigint not null check (threshold_credits > 0),
  topup_amount_credits bigint not null check (topup_amount_credits > 0),
  daily_charge_cap_cents bigint check (daily_charge_cap_cents > 0),
  max_consecutive_declines integer not null default 3,
  consecutive_declines integer not null default 0,
  updated_by text not null,
  updated_at timestamptz not null
);
select swath_tenant_table('auto_topups');

create table topup_approvals (
  organization_id uuid not null,
  id uuid not null,
  credits bigint not null check (credits > 0),
  status text not null check (status in ('pending', 'approved', 'rejected', 'expired', 'charge_failed', 'completed')),
  requested_by text not null,
  decided_by text,
  reason text,
  expires_at timestamptz not null,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (organization_id, id)
);
create index topup_approvals_newest on topup_approvals (organization_id, created_at desc);
select swath_tenant_table('topup_approvals');

create table payment_refunds (
  organization_id uuid not null,
  id uuid not null,
  topup_id uuid not null,
  credits bigint not null check (credits > 0),
  entry_id uuid not null,
  processor_refund text,
  state text not null check (state in ('starting', 'succeeded', 'failed')),
  reason text,
  requested_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  foreign key (organization_id, topup_id) references topups (organization_id, id),
  foreign key (organization_id, entry_id) references journal_entries (organization_id, id)
);
select swath_tenant_table('payment_refunds');

create table payment_disputes (
  organization_id uuid not null,
  id uuid not null,
  dispute text not null,
  intent text not null,
  amount_cents bigint not null,
  -- What could be taken out of the wallet while it is open.
  held_credits bigint not null,
  state text not null check (state in ('open', 'won', 'lost')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, dispute)
);
select swath_tenant_table('payment_disputes');

-- The lots that an open dispute took credits from, so that they go back to the same ones.
create table payment_dispute_lots (
  organization_id uuid not null,
  dispute_id uuid not null,
  lot_id uuid not null,
  amount_credits bigint not null check (amount_credits > 0),
  primary key (organization_id, dispute_id, lot_id),
  foreign key (organization_id, dispute_id) references payment_disputes (organization_id, id),
  foreign key (organization_id, lot_id) references credit_lots (organization_id, id)
);
select swath_tenant_table('payment_dispute_lots', 'select, insert');

-- What the processor told, by the id of its event: told twice is told once. Whose it is stands in the object, not here.
create table payment_events (
  id text collate "C" primary key,
  type text not null,
  object_id text,
  data jsonb not null,
  created_at timestamptz not null,
  received_at timestamptz not null,
  applied_at timestamptz
);
select swath_directory_table('payment_events');

-- Work on money whose retries have ended.
create table billing_dead_letters (
  id uuid primary key,
  kind text not null,
  organization_id uuid,
  data jsonb not null,
  attempts integer not null,
  last_error text not null,
  created_at timestamptz not null,
  replayed_at timestamptz
);
create index billing_dead_letters_waiting on billing_dead_letters (created_at) where replayed_at is null;
select swath_directory_table('billing_dead_letters');
