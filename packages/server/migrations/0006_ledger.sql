-- The ledger, complete: the chain of the journal, three ways to pay, windows of spending, lines of a charge, deadlines.

-- One row for each organization: the lock of all its money, and the end of its chain. It is locked first, so entries
-- of one organization are written one after the other.
create table ledger_heads (
  organization_id uuid primary key,
  position bigint not null,
  hash text collate "C" not null,
  -- A wallet that falls below this is announced, once per crossing.
  low_balance_credits bigint not null default 500 check (low_balance_credits >= 0)
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
create index credit_holds_enterprise on credit_holds (organization_id, created_at) where mode = 'enterprise';
create index credit_holds_member on credit_holds (organization_id, user_id, created_at) where user_id is not null;
alter table credit_hold_resolutions drop constraint credit_hold_resolutions_outcome_check;
alter table credit_hold_resolutions add check (outcome in ('settled', 'released', 'expired'));
create trigger credit_holds_immutable before update or delete on credit_holds
  for each row execute function refuse_change();
create trigger credit_hold_lots_immutable before update or delete on credit_hold_lots
  for each row execute function refuse_change();
create trigger credit_hold_resolutions_immutable before update or delete on credit_hold_resolutions
  for each row execute function refuse_change();
create trigger credit_holds_kept before truncate on credit_holds for each statement execute function refuse_change();
create trigger credit_hold_lots_kept before truncate on credit_hold_lots for each statement execute function refuse_change();
create trigger credit_hold_resolutions_kept before truncate on credit_hold_resolutions
  for each statement execute function refuse_change();

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
create trigger charge_lines_immutable before update or delete on charge_lines
  for each row execute function refuse_change();
create trigger charge_lines_kept before truncate on charge_lines for each statement execute function refuse_change();

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
create trigger charge_line_settlements_immutable before update or delete on charge_line_settlements
  for each row execute function refuse_change();
create trigger charge_line_settlements_kept before truncate on charge_line_settlements
  for each statement execute function refuse_change();

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
