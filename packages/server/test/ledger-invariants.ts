import { sql, type Sql } from '../src/platform/database/sql.ts'

/** The condition that selects the checked rows, for the name or alias of their table. */
type RowFilter = (alias: string) => Sql

/** A statement that returns nothing for a consistent ledger; each row that it returns is a violation. */
export type LedgerInvariant = readonly [sentence: string, statement: (filterBy: RowFilter) => Sql]

export const allOrganizations: RowFilter = () => sql`true`

export const oneOrganization =
  (organization: string): RowFilter =>
  (alias) =>
    sql`${sql.identifier(alias, [alias])}.organization_id = ${organization}`

const resolutions = sql`
  left join credit_hold_resolutions resolution
    on resolution.organization_id = hold.organization_id and resolution.hold_id = hold.id`

/** The settled amount of a resolved hold, the held amount of an open one. */
const counted_credits = sql`case when resolution.hold_id is null then hold.amount_credits else resolution.settled_credits end`

/** Invariants of the ledger of every organization. */
export const ledgerInvariants: readonly LedgerInvariant[] = [
  [
    'the postings of an entry do not sum to zero',
    (filterBy) => sql`
      select entry_id from journal_postings posting where ${filterBy('posting')}
      group by organization_id, entry_id having sum(amount_credits) <> 0`,
  ],
  [
    'the positions of the journal have a gap, or the last one is not the chain head',
    (filterBy) => sql`
      select head.organization_id from ledger_heads head
      left join journal_entries entry on entry.organization_id = head.organization_id
      where ${filterBy('head')}
      group by head.organization_id, head.position
      having head.position <> count(entry.id) or head.position <> coalesce(max(entry.position), 0)`,
  ],
  [
    'the wallet balances of an entry are not the sum of the postings up to it',
    (filterBy) => sql`
      select id from (
        select entry.id, entry.available_after_credits, entry.held_after_credits,
          sum(sum(posting.amount_credits) filter (where posting.account = 'wallet.available')) over so_far as available,
          sum(sum(posting.amount_credits) filter (where posting.account = 'wallet.held')) over so_far as held
        from journal_entries entry
        join journal_postings posting
          on posting.organization_id = entry.organization_id and posting.entry_id = entry.id
        where ${filterBy('entry')}
        group by entry.organization_id, entry.id
        window so_far as (partition by entry.organization_id order by entry.position)) as said
      where (available_after_credits, held_after_credits) <> (coalesce(available, 0), coalesce(held, 0))`,
  ],
  [
    'a balance is not the sum of its postings',
    (filterBy) => sql`
      select account.name from ledger_accounts account
      left join journal_postings posting
        on posting.organization_id = account.organization_id and posting.account = account.name
      where ${filterBy('account')}
      group by account.organization_id, account.name, account.balance_credits
      having account.balance_credits <> coalesce(sum(posting.amount_credits), 0)`,
  ],
  [
    'a wallet balance is not the sum of its lots',
    (filterBy) => sql`
      select account.name from ledger_accounts account
      where ${filterBy('account')} and account.name in ('wallet.available', 'wallet.held') and account.balance_credits <> (
        select coalesce(sum(case account.name when 'wallet.held' then held_credits else available_credits end), 0)
        from credit_lots lot where lot.organization_id = account.organization_id)`,
  ],
  [
    'the amounts of a lot are not those of its postings',
    (filterBy) => sql`
      select lot.id from credit_lots lot
      left join journal_postings posting on posting.organization_id = lot.organization_id and posting.lot_id = lot.id
      left join journal_entries entry on entry.organization_id = posting.organization_id and entry.id = posting.entry_id
      where ${filterBy('lot')}
      group by lot.organization_id, lot.id, lot.granted_credits, lot.available_credits, lot.held_credits,
        lot.captured_credits, lot.expired_credits
      having (lot.granted_credits, lot.available_credits, lot.held_credits, lot.captured_credits, lot.expired_credits) <> (
        coalesce(sum(posting.amount_credits) filter (
          where entry.kind in ('purchase', 'auto_topup', 'grant_signup', 'grant_monthly', 'grant_manual')), 0),
        coalesce(sum(posting.amount_credits) filter (where posting.account = 'wallet.available'), 0),
        coalesce(sum(posting.amount_credits) filter (where posting.account = 'wallet.held'), 0),
        coalesce(sum(posting.amount_credits) filter (where posting.account = 'revenue'), 0),
        coalesce(-sum(posting.amount_credits) filter (where entry.kind = 'expire'), 0))`,
  ],
  [
    'the balance of held credits is not the sum of the open holds',
    (filterBy) => sql`
      select account.name from ledger_accounts account
      join (values ('credit', 'wallet.held'), ('card', 'card.authorised'), ('enterprise', 'enterprise.held'))
        as way (mode, name) on way.name = account.name
      where ${filterBy('account')} and account.balance_credits <> (
        select coalesce(sum(hold.amount_credits), 0) from credit_holds hold ${resolutions}
        where hold.organization_id = account.organization_id and hold.mode = way.mode and resolution.hold_id is null)`,
  ],
  [
    'the settled and released amounts do not add up to the held amount',
    (filterBy) => sql`
      select hold.id from credit_holds hold ${resolutions}
      where ${filterBy('hold')} and resolution.settled_credits + resolution.released_credits <> hold.amount_credits`,
  ],
  [
    'the amounts of a hold are not those of its journal entries',
    (filterBy) => sql`
      select hold.id from credit_holds hold ${resolutions}
      left join journal_entries entry on entry.organization_id = hold.organization_id and entry.hold_id = hold.id
      where ${filterBy('hold')}
      group by hold.organization_id, hold.id, hold.amount_credits, resolution.settled_credits, resolution.released_credits
      having (hold.amount_credits, coalesce(resolution.settled_credits, 0), coalesce(resolution.released_credits, 0)) <> (
        coalesce(-sum(entry.amount_credits) filter (where entry.kind in ('hold', 'accrue')), 0),
        coalesce(-sum(entry.amount_credits) filter (where entry.kind = 'capture'), 0),
        coalesce(sum(entry.amount_credits) filter (where entry.kind in ('release', 'unaccrue', 'hold_expired')), 0))`,
  ],
  [
    'a credit hold is not the sum of its lots, or a hold of another mode has lots',
    (filterBy) => sql`
      select hold.id from credit_holds hold
      left join credit_hold_lots drawn on drawn.organization_id = hold.organization_id and drawn.hold_id = hold.id
      where ${filterBy('hold')}
      group by hold.organization_id, hold.id, hold.mode, hold.amount_credits
      having coalesce(sum(drawn.amount_credits), 0) <> case hold.mode when 'credit' then hold.amount_credits else 0 end`,
  ],
  [
    'the charge lines of a hold do not sum to its amount, or the settled lines to the settled amount',
    (filterBy) => sql`
      select hold.id from credit_holds hold ${resolutions}
      join charge_lines line on line.organization_id = hold.organization_id and line.hold_id = hold.id
      left join charge_line_settlements charged
        on charged.organization_id = line.organization_id and charged.hold_id = line.hold_id and charged.line = line.line
      where ${filterBy('hold')}
      group by hold.organization_id, hold.id, hold.amount_credits, resolution.settled_credits
      having sum(line.amount_credits) <> hold.amount_credits
        or coalesce(sum(charged.amount_credits), 0) <> coalesce(resolution.settled_credits, 0)`,
  ],
  [
    'the hourly spend of a member is not the sum of its holds',
    (filterBy) => sql`
      select coalesce(kept.user_id, found.user_id) as user_id, coalesce(kept.hour, found.hour) as hour
      from (select organization_id, user_id, hour, credits from member_spend_hours hours where ${filterBy('hours')}) as kept
      full join (
        select hold.organization_id, hold.user_id, date_trunc('hour', hold.created_at, 'UTC') as hour, sum(${counted_credits}) as credits
        from credit_holds hold ${resolutions}
        where ${filterBy('hold')} and hold.user_id is not null
        group by hold.organization_id, hold.user_id, date_trunc('hour', hold.created_at, 'UTC')) as found
        on found.organization_id = kept.organization_id and found.user_id = kept.user_id and found.hour = kept.hour
      where coalesce(kept.credits, 0) <> coalesce(found.credits, 0)`,
  ],
  [
    'a deadline refers to a resolved or missing hold or lot',
    (filterBy) => sql`
      select deadline.kind, deadline.subject_id from billing_deadlines deadline
      left join credit_holds hold on hold.organization_id = deadline.organization_id and hold.id = deadline.subject_id
      ${resolutions}
      left join credit_lots lot on lot.organization_id = deadline.organization_id and lot.id = deadline.subject_id
      where ${filterBy('deadline')}
        and (deadline.kind in ('hold-ending', 'hold-expiry') and (hold.id is null or resolution.hold_id is not null)
          or deadline.kind in ('lot-expiry', 'lot-warning') and lot.id is null)`,
  ],
  [
    'a hold or a lot that expires has no deadline',
    (filterBy) => sql`
      select hold.id from credit_holds hold ${resolutions}
      where ${filterBy('hold')} and hold.expires_at is not null and resolution.hold_id is null and not exists (
        select 1 from billing_deadlines deadline
        where deadline.organization_id = hold.organization_id and deadline.subject_id = hold.id)
      union all
      select lot.id from credit_lots lot
      where ${filterBy('lot')} and lot.expires_at is not null and lot.available_credits > 0 and not exists (
        select 1 from billing_deadlines deadline
        where deadline.organization_id = lot.organization_id and deadline.subject_id = lot.id and deadline.kind = 'lot-expiry')`,
  ],
]
