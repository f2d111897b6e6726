-- Money, complete: the chain of the journal, ways to pay, windows of spending, deadlines, cards, top-ups, approvals,
-- commitments, invoices and what is left of work that failed too often.

-- One row for each organization: the lock of all its money, and the end of its chain. It is locked first, so entries
-- of one organization are written one after the other.
create table ledger_heads (
  organization_id uuid primary key,
  position bigint not null,
  hash text collate "C" not null,
  -- A wallet that falls below this is announced, once per crossing.
  low_balance_credits bigint not null default 500 check (low_balance_credits >= 0),
  -- Documents with a number of their own: invoices, receipts, credit notes.
  documents bigint not null default 0
);
select swath_tenant_table('ledger_heads', 'select, insert, update');

alter table journal_entries add column hash text collate "C", add column idempotency_key text;

-- What an entry says, as the text that its hash is taken of: a JSON array in a fixed order, after the hash before it.
-- `packages/server/src/domains/ledger/chain.ts` writes the same text.
create function ledger_entry_text(entry journal_entries) returns text language sql stable as $$
  select concat('[', concat_ws(',',
    to_json(entry.organization_id::text), entry.position, to_json(entry.id::text), to_json(entry.kind), entry.amount_credits,
    entry.available_after_credits, entry.held_after_credits, to_json(entry.reference_type), to_json(entry.reference_id),
    coalesce(to_json(entry.hold_id::text)::text, 'null'), to_json(entry.actor_kind), to_json(entry.actor_id),
    to_json(entry.operation), to_json(entry.request_id), coalesce(to_json(entry.idempotency_key)::text, 'null'),
    coalesce(to_json(entry.note)::text, 'null'),
    to_json(to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    (select concat('[', string_agg(concat('[', to_json(p.account), ',', coalesce(to_json(p.lot_id::text)::text, 'null'), ',',
                                          p.amount_credits, ']'), ',' order by p.line), ']')
     from journal_postings p where p.organization_id = entry.organization_id and p.entry_id = entry.id)), ']')
$$;

-- Entries that were written before there was a chain get their place in it.
alter table journal_entries disable trigger journal_entries_immutable;
do $$
declare
  entry journal_entries;
  previous text := repeat('0', 64);
  owner uuid;
begin
  for entry in select * from journal_entries order by organization_id, position loop
    if owner is distinct from entry.organization_id then
      previous := repeat('0', 64);
      owner := entry.organization_id;
    end if;
    previous := encode(sha256(convert_to(previous || ledger_entry_text(entry), 'UTF8')), 'hex');
    update journal_entries set hash = previous where organization_id = entry.organization_id and id = entry.id;
  end loop;
end $$;
alter table journal_entries enable trigger journal_entries_immutable;
drop function ledger_entry_text(journal_entries);
alter table journal_entries alter column hash set not null;

insert into ledger_heads (organization_id, position, hash)
select distinct on (organization_id) organization_id, position, hash from journal_entries
order by organization_id, position desc;

-- Every account of an organization is there from its first entry on, its own and those that the platform keeps for it.
insert into ledger_accounts (organization_id, name, balance_credits)
select h.organization_id, a.name, 0
from ledger_heads h, unnest(array[
  'wallet.available', 'wallet.held', 'card.authorised', 'enterprise.held', 'enterprise.accrued', 'enterprise.invoiced',
  'revenue', 'stripe.clearing', 'promo.expense', 'expired.breakage', 'refunds', 'tax']) as a (name)
on conflict (organization_id, name) do nothing;

create trigger journal_entries_kept before truncate on journal_entries for each statement execute function refuse_change();
create trigger journal_postings_kept before truncate on journal_postings for each statement execute function refuse_change();

-- How a hold is paid, until when it may be kept, and the hash of what it is for.
alter table credit_holds
  add column mode text not null default 'credit' check (mode in ('credit', 'card', 'enterprise')),
  add column expires_at timestamptz;
create index credit_holds_member on credit_holds (organization_id, user_id, created_at) where user_id is not null;
alter table credit_hold_resolutions drop constraint credit_hold_resolutions_outcome_check;
alter table credit_hold_resolutions add check (outcome in ('settled', 'released', 'expired'));
create trigger credit_holds_immutable before update or delete on credit_holds
  for each row execute function refuse_change();
create trigger credit_hold_lots_immutable before update or delete on credit_hold_lots
  for each row execute function refuse_change();
create trigger credit_hold_resolutions_immutable before update or delete on credit_hold_resolutions
  for each row execute function refuse_change();

-- What a member's holds of one hour count for, so that a window of thirty days is at most 720 rows and one partial hour.
create table member_spend_hours (
  organization_id uuid not null,
  user_id uuid not null,
  hour timestamptz not null,
  credits bigint not null check (credits >= 0),
  primary key (organization_id, user_id, hour)
);
select swath_tenant_table('member_spend_hours', 'select, insert, update');
insert into member_spend_hours (organization_id, user_id, hour, credits)
select h.organization_id, h.user_id, date_trunc('hour', h.created_at, 'UTC'),
  sum(case when r.hold_id is null then h.amount_credits else r.settled_credits end)
from credit_holds h
left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
where h.user_id is not null
group by h.organization_id, h.user_id, date_trunc('hour', h.created_at, 'UTC');

-- What a hold is for, line by line, as it was priced; and which of its lines were charged in the end.
create table charge_lines (
  organization_id uuid not null,
  hold_id uuid not null,
  line integer not null,
  product text not null,
  description text not null,
  unit text not null,
  measured_quantity numeric not null,
  charged_quantity numeric not null check (charged_quantity >= measured_quantity),
  minimum_quantity numeric not null,
  list_rate_credits numeric not null,
  rate_credits numeric not null,
  priced_on date not null,
  discount_credits bigint not null check (discount_credits >= 0),
  amount_credits bigint not null check (amount_credits >= 0),
  commitment_id uuid,
  primary key (organization_id, hold_id, line),
  foreign key (organization_id, hold_id) references credit_holds (organization_id, id)
);
select swath_tenant_table('charge_lines', 'select, insert');

create table charge_line_settlements (
  organization_id uuid not null,
  hold_id uuid not null,
  line integer not null,
  amount_credits bigint not null check (amount_credits >= 0),
  settled_at timestamptz not null,
  primary key (organization_id, hold_id, line),
  foreign key (organization_id, hold_id, line) references charge_lines (organization_id, hold_id, line)
);
create index charge_line_settlements_time on charge_line_settlements (organization_id, settled_at);
select swath_tenant_table('charge_line_settlements', 'select, insert');

-- What has to happen because time passed, by the clock of its organization. A row goes when it was done or has no object any more.
create table billing_deadlines (
  organization_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  due_at timestamptz not null,
  primary key (organization_id, kind, subject_id)
);
create index billing_deadlines_due on billing_deadlines (due_at);
select swath_tenant_table('billing_deadlines');

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
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
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
