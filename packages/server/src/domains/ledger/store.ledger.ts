import type { Queryable, Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { accounts, type Account, type PaymentMode } from './accounts.ts'
import { genesis_hash } from '../../platform/crypto/hash-chain.ts'
import type { ChainEntry } from './chain.ts'

export interface LedgerHeadRow {
  /** The position of the newest entry; 0 before the first. */
  readonly position: number
  readonly hash: string
  readonly low_balance_credits: number
}

/** Locks the row that every ledger transaction of an organization locks first; creates it and the accounts on first use. */
export async function lockLedgerHead(tx: Tx, organization: string): Promise<LedgerHeadRow> {
  const select = sql.prepared(sql`
    select position, hash, low_balance_credits from ledger_heads where organization_id = ${organization} for update`)
  const [row] = await tx.query<LedgerHeadRow>(select)
  if (row) return row
  await tx.query(sql`
    with head as (
      insert into ledger_heads (organization_id, position, hash) values (${organization}, 0, ${genesis_hash})
      on conflict (organization_id) do nothing)
    insert into ledger_accounts (organization_id, name, balance_credits)
    select ${organization}::uuid, name, 0 from unnest(${[...accounts]}::text[]) as account (name)
    on conflict (organization_id, name) do nothing`)
  const [created] = await tx.query<LedgerHeadRow>(select)
  return created!
}

export interface LotRow {
  readonly id: string
  readonly kind: string
  readonly expires_at: Date | null
  readonly available_credits: number
}

/** Balances, and the lots with available credits in allocation order: priority, earliest expiry, oldest. */
export async function readBalancesAndLots(
  db: Queryable,
  organization: string,
): Promise<{ balances: Map<Account, number>; lots: LotRow[] }> {
  const [row] = await db.query<{
    balances: Record<Account, number> | null
    lots: (Omit<LotRow, 'expires_at'> & { expires_at: string | null })[] | null
  }>(
    sql.prepared(sql`
    select
      (select jsonb_object_agg(name, balance_credits) from ledger_accounts where organization_id = ${organization}) as balances,
      (select jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'expires_at', expires_at,
                                           'available_credits', available_credits)
                        order by priority, expires_at nulls last, created_at, id)
       from credit_lots where organization_id = ${organization} and available_credits > 0) as lots`),
  )
  return {
    balances: new Map(Object.entries(row?.balances ?? {}) as [Account, number][]),
    lots: (row?.lots ?? []).map((lot) => ({ ...lot, expires_at: lot.expires_at ? new Date(lot.expires_at) : null })),
  }
}

export const lotColumns = ['available', 'held', 'captured', 'expired', 'refunded'] as const
export type LotColumn = (typeof lotColumns)[number]

/** Credits that move from one column of a lot to another. */
export interface LotMove {
  readonly lot_id: string
  readonly amount_credits: number
  readonly from: LotColumn
  readonly to: LotColumn
}

export interface NewLot extends LotRow {
  readonly priority: number
  readonly created_at: Date
}

export interface LotAmount {
  readonly lot_id: string
  readonly amount_credits: number
}

export interface NewHold {
  readonly id: string
  readonly amount_credits: number
  readonly mode: PaymentMode
  readonly reference_type: string
  readonly reference_id: string
  readonly user_id: string | null
  readonly api_key_id: string | null
  readonly expires_at: Date | null
  readonly created_at: Date
  readonly lots: readonly LotAmount[]
}

export interface HoldResolution {
  readonly hold_id: string
  readonly outcome: 'settled' | 'released' | 'expired'
  readonly settled_credits: number
  readonly released_credits: number
  readonly user_id: string | null
  readonly api_key_id: string | null
  readonly held_at: Date
  readonly at: Date
}

export interface NewDeadline {
  readonly kind: string
  readonly subject_id: string
  readonly due_at: Date
}

/** One charge line of a hold; quantities and rates are decimal text, so that nothing is rounded. */
export interface NewChargeLine {
  readonly hold_id: string
  readonly line: number
  readonly product: string
  readonly description: string
  readonly unit: string
  readonly measured_quantity: string
  readonly charged_quantity: string
  readonly minimum_quantity: string
  readonly list_rate_credits: string
  readonly rate_credits: string
  /** A day, `YYYY-MM-DD`. */
  readonly priced_on: string
  readonly discount_credits: number
  readonly amount_credits: number
  readonly commitment_id: string | null
}

export interface SettledLine {
  readonly hold_id: string
  readonly line: number
  readonly amount_credits: number
  readonly settled_at: Date
}

/** Everything that one commit of a ledger session writes. */
export interface LedgerCommit {
  readonly openingBalances: ReadonlyMap<Account, number>
  readonly balances: ReadonlyMap<Account, number>
  readonly entries: readonly (ChainEntry & { readonly hash: string })[]
  readonly changes: {
    readonly moves: readonly LotMove[]
    readonly lots: readonly NewLot[]
    readonly holds: readonly NewHold[]
    readonly resolutions: readonly HoldResolution[]
    readonly lines: readonly NewChargeLine[]
    readonly settled: readonly SettledLine[]
    readonly deadlines: readonly NewDeadline[]
    readonly cleared: readonly { readonly kind: string; readonly subject_id: string }[]
  }
}

/** One prepared statement for everything: statement count and planning dominate the time of a ledger write. */
export async function writeLedgerChanges(tx: Tx, organization: string, ledger: LedgerCommit): Promise<void> {
  const { changes } = ledger
  const ctes = [
    ...(ledger.entries.length > 0 ? journalCtes(organization, ledger) : []),
    ...(changes.moves.length > 0 ? [updateLots(organization, changes.moves)] : []),
    ...(changes.lots.length > 0 ? [insertLots(organization, changes.lots)] : []),
    ...(changes.holds.length > 0 ? holdCtes(organization, changes.holds) : []),
    ...(changes.resolutions.length > 0 ? resolutionCtes(organization, changes.resolutions) : []),
    ...(changes.lines.length > 0 ? [insertChargeLines(organization, changes.lines)] : []),
    ...(changes.settled.length > 0 ? [insertLineSettlements(organization, changes.settled)] : []),
    ...(changes.deadlines.length > 0 ? [upsertDeadlines(organization, changes.deadlines)] : []),
    ...(changes.cleared.length > 0 ? [deleteDeadlines(organization, changes.cleared)] : []),
  ]
  if (ctes.length === 0) return
  const namedCtes = ctes.map((part, index) => sql`${cteNames[index]!} as (${part})`)
  await tx.query(sql.prepared(sql`with ${sql.join(namedCtes)} select 1`))
}

/** Names of the CTEs of the statement; nothing refers to them. */
const cteNames = Array.from({ length: 16 }, (_, index) => sql.identifier(`part_${index}`, [`part_${index}`]))

function journalCtes(organization: string, { entries, openingBalances, balances }: LedgerCommit): Sql[] {
  const { position, hash } = entries.at(-1)!
  const moved = [...balances].map(([name, now]) => ({ name, amount: now - (openingBalances.get(name) ?? 0) }))
  const postings = entries.flatMap((entry) =>
    entry.postings.map((posting, index) => ({ entry_id: entry.id, line: index + 1, ...posting })),
  )
  return [
    sql`update ledger_heads set position = ${position}, hash = ${hash} where organization_id = ${organization}`,
    sql`
      update ledger_accounts account set balance_credits = account.balance_credits + moved.amount
      from jsonb_to_recordset(${sql.json(moved.filter(({ amount }) => amount !== 0))}::jsonb) as moved (name text, amount bigint)
      where account.organization_id = ${organization} and account.name = moved.name`,
    sql`
      insert into journal_entries
        (organization_id, id, position, kind, amount_credits, available_after_credits, held_after_credits, reference_type,
         reference_id, hold_id, actor_kind, actor_id, operation, request_id, idempotency_key, note, created_at, hash)
      select ${organization}::uuid, id, position, kind, amount_credits, available_after_credits, held_after_credits,
        reference_type, reference_id, hold_id, actor_kind, actor_id, operation, request_id, idempotency_key, note, created_at, hash
      from jsonb_to_recordset(${sql.json(entries)}::jsonb) as entry
        (id uuid, position bigint, kind text, amount_credits bigint, available_after_credits bigint, held_after_credits bigint,
         reference_type text, reference_id text, hold_id uuid, actor_kind text, actor_id text, operation text, request_id text,
         idempotency_key text, note text, created_at timestamptz, hash text)`,
    sql`
      insert into journal_postings (organization_id, entry_id, line, account, lot_id, amount_credits)
      select ${organization}::uuid, entry_id, line, account, lot_id, amount_credits
      from jsonb_to_recordset(${sql.json(postings)}::jsonb) as posting
        (entry_id uuid, line integer, account text, lot_id uuid, amount_credits bigint)`,
  ]
}

/** Sums the moves of each lot by column, because one statement can update a row only once. */
function updateLots(organization: string, moves: readonly LotMove[]): Sql {
  const sums = new Map<string, Record<LotColumn, number>>()
  for (const { lot_id, amount_credits, from, to } of moves) {
    const sum = sums.get(lot_id) ?? { available: 0, held: 0, captured: 0, expired: 0, refunded: 0 }
    sum[from] -= amount_credits
    sum[to] += amount_credits
    sums.set(lot_id, sum)
  }
  return sql`
    update credit_lots lot
    set available_credits = lot.available_credits + moved.available, held_credits = lot.held_credits + moved.held,
        captured_credits = lot.captured_credits + moved.captured, expired_credits = lot.expired_credits + moved.expired,
        refunded_credits = lot.refunded_credits + moved.refunded
    from jsonb_to_recordset(${sql.json([...sums].map(([id, sum]) => ({ id, ...sum })))}::jsonb) as moved
      (id uuid, available bigint, held bigint, captured bigint, expired bigint, refunded bigint)
    where lot.organization_id = ${organization} and lot.id = moved.id`
}

const insertLots = (organization: string, lots: readonly NewLot[]): Sql => sql`
  insert into credit_lots (organization_id, id, kind, priority, expires_at, granted_credits, available_credits, created_at)
  select ${organization}::uuid, id, kind, priority, expires_at, available_credits, available_credits, created_at
  from jsonb_to_recordset(${sql.json(lots)}::jsonb) as lot
    (id uuid, kind text, priority integer, expires_at timestamptz, available_credits bigint, created_at timestamptz)`

function holdCtes(organization: string, holds: readonly NewHold[]): Sql[] {
  const lots = holds.flatMap((hold) => hold.lots.map((lot) => ({ hold_id: hold.id, ...lot })))
  const holdsOfMembers = holds.filter((hold) => hold.user_id !== null)
  const holdsOfApiKeys = holds.filter((hold) => hold.api_key_id !== null)
  return [
    sql`
      insert into credit_holds
        (organization_id, id, amount_credits, mode, reference_type, reference_id, user_id, api_key_id, expires_at, created_at)
      select ${organization}::uuid, id, amount_credits, mode, reference_type, reference_id, user_id, api_key_id, expires_at,
        created_at
      from jsonb_to_recordset(${sql.json(holds)}::jsonb) as hold
        (id uuid, amount_credits bigint, mode text, reference_type text, reference_id text, user_id uuid,
         api_key_id uuid, expires_at timestamptz, created_at timestamptz)`,
    sql`
      insert into credit_hold_lots (organization_id, hold_id, lot_id, amount_credits)
      select ${organization}::uuid, hold_id, lot_id, amount_credits
      from jsonb_to_recordset(${sql.json(lots)}::jsonb) as lot (hold_id uuid, lot_id uuid, amount_credits bigint)`,
    sql`
      insert into member_spend_hours as window_hour (organization_id, user_id, hour, credits)
      select ${organization}::uuid, user_id, date_trunc('hour', created_at, 'UTC') as hour, sum(amount_credits)
      from jsonb_to_recordset(${sql.json(holdsOfMembers)}::jsonb) as hold
        (user_id uuid, created_at timestamptz, amount_credits bigint)
      group by user_id, hour
      on conflict (organization_id, user_id, hour) do update set credits = window_hour.credits + excluded.credits`,
    ...(holdsOfApiKeys.length > 0 ? [addApiKeySpending(organization, holdsOfApiKeys)] : []),
  ]
}

const addApiKeySpending = (organization: string, holds: readonly NewHold[]): Sql => sql`
  insert into api_key_spending as spending (organization_id, api_key_id, credits)
  select ${organization}::uuid, api_key_id, sum(amount_credits)
  from jsonb_to_recordset(${sql.json(holds)}::jsonb) as hold (api_key_id uuid, amount_credits bigint)
  group by api_key_id
  on conflict (organization_id, api_key_id) do update set credits = spending.credits + excluded.credits`

const subtractApiKeySpending = (organization: string, resolutions: readonly HoldResolution[]): Sql => sql`
  update api_key_spending spending set credits = spending.credits - given.credits
  from (
    select api_key_id, sum(released_credits) as credits
    from jsonb_to_recordset(${sql.json(resolutions)}::jsonb) as released (api_key_id uuid, released_credits bigint)
    group by api_key_id) as given
  where spending.organization_id = ${organization} and spending.api_key_id = given.api_key_id`

function resolutionCtes(organization: string, resolutions: readonly HoldResolution[]): Sql[] {
  const holdsOfMembers = resolutions.filter((row) => row.user_id !== null && row.released_credits > 0)
  const holdsOfApiKeys = resolutions.filter((row) => row.api_key_id !== null && row.released_credits > 0)
  return [
    sql`
      insert into credit_hold_resolutions
        (organization_id, hold_id, outcome, settled_credits, released_credits, created_at)
      select ${organization}::uuid, hold_id, outcome, settled_credits, released_credits, at
      from jsonb_to_recordset(${sql.json(resolutions)}::jsonb) as resolution
        (hold_id uuid, outcome text, settled_credits bigint, released_credits bigint, at timestamptz)`,
    sql`
      update member_spend_hours window_hour set credits = window_hour.credits - given.credits
      from (
        select user_id, date_trunc('hour', held_at, 'UTC') as hour, sum(released_credits) as credits
        from jsonb_to_recordset(${sql.json(holdsOfMembers)}::jsonb) as released
          (user_id uuid, held_at timestamptz, released_credits bigint)
        group by user_id, hour) as given
      where window_hour.organization_id = ${organization} and window_hour.user_id = given.user_id
        and window_hour.hour = given.hour`,
    ...(holdsOfApiKeys.length > 0 ? [subtractApiKeySpending(organization, holdsOfApiKeys)] : []),
  ]
}

const insertChargeLines = (organization: string, lines: readonly NewChargeLine[]): Sql => sql`
  insert into charge_lines
    (organization_id, hold_id, line, product, description, unit, measured_quantity, charged_quantity, minimum_quantity,
     list_rate_credits, rate_credits, priced_on, discount_credits, amount_credits, commitment_id)
  select ${organization}::uuid, hold_id, line, product, description, unit, measured_quantity, charged_quantity,
    minimum_quantity, list_rate_credits, rate_credits, priced_on, discount_credits, amount_credits, commitment_id
  from jsonb_to_recordset(${sql.json(lines)}::jsonb) as charge
    (hold_id uuid, line integer, product text, description text, unit text, measured_quantity numeric,
     charged_quantity numeric, minimum_quantity numeric, list_rate_credits numeric, rate_credits numeric, priced_on date,
     discount_credits bigint, amount_credits bigint, commitment_id uuid)`

const insertLineSettlements = (organization: string, lines: readonly SettledLine[]): Sql => sql`
  insert into charge_line_settlements (organization_id, hold_id, line, amount_credits, settled_at)
  select ${organization}::uuid, hold_id, line, amount_credits, settled_at
  from jsonb_to_recordset(${sql.json(lines)}::jsonb) as settled
    (hold_id uuid, line integer, amount_credits bigint, settled_at timestamptz)`

const upsertDeadlines = (organization: string, deadlines: readonly NewDeadline[]): Sql => sql`
  insert into billing_deadlines (organization_id, kind, subject_id, due_at)
  select ${organization}::uuid, kind, subject_id, due_at
  from jsonb_to_recordset(${sql.json(deadlines)}::jsonb) as deadline (kind text, subject_id uuid, due_at timestamptz)
  on conflict (organization_id, kind, subject_id) do update set due_at = excluded.due_at`

const deleteDeadlines = (organization: string, cleared: LedgerCommit['changes']['cleared']): Sql => sql`
  delete from billing_deadlines deadline
  using jsonb_to_recordset(${sql.json(cleared)}::jsonb) as cleared (kind text, subject_id uuid)
  where deadline.organization_id = ${organization} and deadline.kind = cleared.kind
    and deadline.subject_id = cleared.subject_id`
