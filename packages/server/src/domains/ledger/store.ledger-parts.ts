import { hour_ms } from '@swath/geo/time-units.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { buildValuesList } from '../../platform/database/statements/values-list.ts'
import type { HashedJournalEntry } from './chain.ts'
import type {
  HoldResolution,
  LedgerCommit,
  CreditLotAmount,
  CreditLotColumn,
  CreditLotMove,
  NewChargeLine,
  NewBillingDeadline,
  NewCreditHold,
  NewCreditLot,
  SettledChargeLine,
} from './ledger-changes.ts'

type PostingRow = HashedJournalEntry['postings'][number] & { readonly entry_id: string; readonly line: number }

export const listPostingRows = (entries: LedgerCommit['entries']): PostingRow[] =>
  entries.flatMap(({ id, postings }) =>
    postings.map((posting, index) => ({ entry_id: id, line: index + 1, ...posting })),
  )

export function updateLedgerHeadSql(organization: string, { entries, openingBalances, balances }: LedgerCommit): Sql[] {
  const { position, hash } = entries.at(-1)!
  const moved = [...balances].map(([name, now]) => ({ name, amount: now - (openingBalances.get(name) ?? 0) }))
  return [
    sql`update ledger_heads set position = ${position}, hash = ${hash} where organization_id = ${organization}`,
    sql`
      update ledger_accounts account set balance_credits = account.balance_credits + moved.amount
      from jsonb_to_recordset(${sql.json(moved.filter(({ amount }) => amount !== 0))}::jsonb) as moved (name text, amount bigint)
      where account.organization_id = ${organization} and account.name = moved.name`,
  ]
}

export const insertJournalEntriesSql = (organization: string, entries: LedgerCommit['entries']): Sql => sql`
  insert into journal_entries
    (organization_id, id, position, kind, amount_credits, available_after_credits, held_after_credits, reference_type,
     reference_id, hold_id, actor_kind, actor_id, operation, request_id, idempotency_key, note, created_at, hash)
  values ${buildValuesList(
    entries,
    (entry) => sql`
      (${organization}, ${entry.id}, ${entry.position}, ${entry.kind}, ${entry.amount_credits},
       ${entry.available_after_credits}, ${entry.held_after_credits}, ${entry.reference_type}, ${entry.reference_id},
       ${entry.hold_id}, ${entry.actor_kind}, ${entry.actor_id}, ${entry.operation}, ${entry.request_id},
       ${entry.idempotency_key}, ${entry.note}, ${entry.created_at}, ${entry.hash})`,
  )}`

export const insertPostingsSql = (organization: string, postings: readonly PostingRow[]): Sql => sql`
  insert into journal_postings (organization_id, entry_id, line, account, lot_id, amount_credits)
  values ${buildValuesList(
    postings,
    ({ entry_id, line, account, lot_id, amount_credits }) =>
      sql`(${organization}, ${entry_id}, ${line}, ${account}, ${lot_id}, ${amount_credits})`,
  )}`

/** Sums the moves of each lot by column, because one statement can update a row only once. */
export function updateCreditLotsSql(organization: string, moves: readonly CreditLotMove[]): Sql {
  const sums = new Map<string, Record<CreditLotColumn, number>>()
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

export const insertCreditLotsSql = (organization: string, lots: readonly NewCreditLot[]): Sql => sql`
  insert into credit_lots (organization_id, id, kind, priority, expires_at, granted_credits, available_credits, created_at)
  values ${buildValuesList(
    lots,
    ({ id, kind, priority, expires_at, available_credits, created_at }) => sql`
      (${organization}, ${id}, ${kind}, ${priority}, ${expires_at}, ${available_credits}, ${available_credits}, ${created_at})`,
  )}`

export function insertHoldsSql(organization: string, holds: readonly NewCreditHold[]): Sql[] {
  const hours = sumSpending(
    holds.filter(({ user_id }) => user_id !== null),
    ({ user_id, created_at, amount_credits }) => ({
      id: user_id!,
      hour: startOfHour(created_at),
      credits: amount_credits,
    }),
  )
  const keys = sumSpending(
    holds.filter(({ api_key_id }) => api_key_id !== null),
    ({ api_key_id, amount_credits }) => ({ id: api_key_id!, hour: null, credits: amount_credits }),
  )
  return [
    sql`
      insert into credit_holds
        (organization_id, id, amount_credits, mode, reference_type, reference_id, user_id, api_key_id, expires_at, created_at)
      values ${buildValuesList(
        holds,
        (hold) => sql`
          (${organization}, ${hold.id}, ${hold.amount_credits}, ${hold.mode}, ${hold.reference_type}, ${hold.reference_id},
           ${hold.user_id}, ${hold.api_key_id}, ${hold.expires_at}, ${hold.created_at})`,
      )}`,
    ...(hours.length > 0 ? [addMemberSpending(organization, hours)] : []),
    ...(keys.length > 0 ? [addApiKeySpending(organization, keys)] : []),
  ]
}

export const insertHoldLotsSql = (
  organization: string,
  lots: readonly (CreditLotAmount & { readonly hold_id: string })[],
): Sql => sql`
  insert into credit_hold_lots (organization_id, hold_id, lot_id, amount_credits)
  values ${buildValuesList(
    lots,
    ({ hold_id, lot_id, amount_credits }) => sql`(${organization}, ${hold_id}, ${lot_id}, ${amount_credits})`,
  )}`

/** Credits that a member spent within an hour, or an API key in its lifetime (`hour` null). */
interface Spending {
  readonly id: string
  readonly hour: Date | null
  readonly credits: number
}

const startOfHour = (at: Date): Date => new Date(Math.floor(at.getTime() / hour_ms) * hour_ms)

/** Sums spending by its id and hour, because one statement can insert a row only once. */
function sumSpending<Row>(rows: readonly Row[], toSpending: (row: Row) => Spending): Spending[] {
  const sums = new Map<string, Spending>()
  for (const spending of rows.map(toSpending)) {
    const key = `${spending.id} ${spending.hour?.getTime()}`
    sums.set(key, { ...spending, credits: spending.credits + (sums.get(key)?.credits ?? 0) })
  }
  return [...sums.values()]
}

const addMemberSpending = (organization: string, hours: readonly Spending[]): Sql => sql`
  insert into member_spend_hours as window_hour (organization_id, user_id, hour, credits)
  values ${buildValuesList(hours, ({ id, hour, credits }) => sql`(${organization}, ${id}, ${hour}, ${credits})`)}
  on conflict (organization_id, user_id, hour) do update set credits = window_hour.credits + excluded.credits`

const addApiKeySpending = (organization: string, keys: readonly Spending[]): Sql => sql`
  insert into api_key_spending as spending (organization_id, api_key_id, credits)
  values ${buildValuesList(keys, ({ id, credits }) => sql`(${organization}, ${id}, ${credits})`)}
  on conflict (organization_id, api_key_id) do update set credits = spending.credits + excluded.credits`

const subtractApiKeySpending = (organization: string, resolutions: readonly HoldResolution[]): Sql => sql`
  update api_key_spending spending set credits = spending.credits - given.credits
  from (
    select api_key_id, sum(released_credits) as credits
    from jsonb_to_recordset(${sql.json(resolutions)}::jsonb) as released (api_key_id uuid, released_credits bigint)
    group by api_key_id) as given
  where spending.organization_id = ${organization} and spending.api_key_id = given.api_key_id`

export function resolveHoldsSql(organization: string, resolutions: readonly HoldResolution[]): Sql[] {
  const holdsOfMembers = resolutions.filter((row) => row.user_id !== null && row.released_credits > 0)
  const holdsOfApiKeys = resolutions.filter((row) => row.api_key_id !== null && row.released_credits > 0)
  return [
    sql`
      insert into credit_hold_resolutions
        (organization_id, hold_id, outcome, settled_credits, released_credits, created_at)
      values ${buildValuesList(
        resolutions,
        ({ hold_id, outcome, settled_credits, released_credits, at }) =>
          sql`(${organization}, ${hold_id}, ${outcome}, ${settled_credits}, ${released_credits}, ${at})`,
      )}`,
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

export const insertChargeLinesSql = (organization: string, lines: readonly NewChargeLine[]): Sql => sql`
  insert into charge_lines
    (organization_id, hold_id, line, product, description, unit, measured_quantity, charged_quantity, minimum_quantity,
     list_rate_credits, rate_credits, priced_on, discount_credits, amount_credits, commitment_id)
  values ${buildValuesList(
    lines,
    (charge) => sql`
      (${organization}, ${charge.hold_id}, ${charge.line}, ${charge.product}, ${charge.description}, ${charge.unit},
       ${charge.measured_quantity}, ${charge.charged_quantity}, ${charge.minimum_quantity}, ${charge.list_rate_credits},
       ${charge.rate_credits}, ${charge.priced_on}, ${charge.discount_credits}, ${charge.amount_credits},
       ${charge.commitment_id})`,
  )}`

export const insertLineSettlementsSql = (organization: string, lines: readonly SettledChargeLine[]): Sql => sql`
  insert into charge_line_settlements (organization_id, hold_id, line, amount_credits, settled_at)
  values ${buildValuesList(
    lines,
    ({ hold_id, line, amount_credits, settled_at }) =>
      sql`(${organization}, ${hold_id}, ${line}, ${amount_credits}, ${settled_at})`,
  )}`

export const upsertBillingDeadlinesSql = (organization: string, deadlines: readonly NewBillingDeadline[]): Sql => sql`
  insert into billing_deadlines (organization_id, kind, subject_id, due_at)
  values ${buildValuesList(
    deadlines,
    ({ kind, subject_id, due_at }) => sql`(${organization}, ${kind}, ${subject_id}, ${due_at})`,
  )}
  on conflict (organization_id, kind, subject_id) do update set due_at = excluded.due_at`

export const deleteBillingDeadlinesSql = (
  organization: string,
  cleared: LedgerCommit['changes']['cleared'],
): Sql => sql`
  delete from billing_deadlines deadline
  using jsonb_to_recordset(${sql.json(cleared)}::jsonb) as cleared (kind text, subject_id uuid)
  where deadline.organization_id = ${organization} and deadline.kind = cleared.kind
    and deadline.subject_id = cleared.subject_id`
