import { isDeepStrictEqual } from 'node:util'
import { hashJournalEntry } from '../../../packages/server/src/domains/ledger/chain.ts'
import type { StoredJournalEntry } from '../../../packages/server/src/domains/ledger/journal.ts'
import { verifyLedger } from '../../../packages/server/src/domains/ledger/verify.ts'
import { genesisHash } from '../../../packages/server/src/platform/crypto/hash-chain.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { findLedgerViolations } from '../harness/rules.ts'
import type { EntrySummary, ModelHold, ModelLot, ModelWallet } from './model.ts'
import { idOf, type LedgerFixture } from './fixture.ts'

/** The head of the hash chain. */
export interface ChainHead {
  readonly position: number
  readonly hash: string
}

/** The database state of a wallet after a step: all balances, and the other rows that the step may have changed. */
export interface ObservedLedger {
  readonly entries: readonly StoredJournalEntry[]
  readonly head: ChainHead | null
  readonly accounts: Readonly<Record<string, number>>
  readonly lots: Readonly<Record<string, LotColumns>>
  readonly holds: Readonly<Record<string, HoldColumns>>
  /** By the id of the member. */
  readonly windows: Readonly<Record<string, number>>
  /** By the id of the member; null is no limit. */
  readonly caps: Readonly<Record<string, readonly [per_order: number | null, window: number | null]>>
  readonly due: number
  readonly told: number
}

type LotColumns = readonly [available: number, held: number, captured: number, expired: number, refunded: number]
type HoldColumns = readonly [
  /** The part of each lot, by lot id. */
  parts: Readonly<Record<string, number>> | null,
  amount: number,
  outcome: string | null,
  settled: number | null,
  released: number | null,
  lines: readonly (readonly [number, number])[] | null,
]

interface TouchedRows {
  readonly lots: readonly string[]
  readonly holds: readonly string[]
}

/** Reads everything in one statement, so that checking takes less time than the step. */
export async function readLedger(
  fixture: LedgerFixture,
  after: ChainHead,
  touched: TouchedRows,
): Promise<ObservedLedger> {
  const {
    organization,
    proofDatabase: { database },
  } = fixture
  const [lots, holds] = [touched.lots, touched.holds].map((names) => names.map((name) => idOf(fixture, name)))
  const [row] = await database
    .forOrganization(organization)
    .query<{ [Name in keyof ObservedLedger]: ObservedLedger[Name] | null }>(
      sql.prepared(sql`
    select
      (select jsonb_agg(to_jsonb(e) || jsonb_build_object('postings', (
         select jsonb_agg(jsonb_build_object('account', p.account, 'lot_id', p.lot_id, 'amount_credits', p.amount_credits) order by p.line)
         from journal_postings p where p.organization_id = e.organization_id and p.entry_id = e.id)) order by e.position)
       from journal_entries e where e.organization_id = ${organization} and e.position > ${after.position}) as entries,
      (select jsonb_build_object('position', position, 'hash', hash) from ledger_heads
       where organization_id = ${organization}) as head,
      (select jsonb_object_agg(name, balance_credits) from ledger_accounts where organization_id = ${organization}) as accounts,
      (select jsonb_object_agg(id, jsonb_build_array(available_credits, held_credits, captured_credits, expired_credits, refunded_credits))
       from credit_lots where organization_id = ${organization} and id = any(${lots}::uuid[])) as lots,
      (select jsonb_object_agg(h.id, jsonb_build_array((
         select jsonb_object_agg(lot_id, amount_credits) from credit_hold_lots p
         where p.organization_id = h.organization_id and p.hold_id = h.id), h.amount_credits, r.outcome, r.settled_credits, r.released_credits, (
         select jsonb_agg(jsonb_build_array(line, amount_credits) order by line) from charge_line_settlements s
         where s.organization_id = h.organization_id and s.hold_id = h.id and s.amount_credits > 0)))
       from credit_holds h
       left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
       where h.organization_id = ${organization} and h.id = any(${holds}::uuid[])) as holds,
      (select jsonb_object_agg(user_id, credits) from (
         select user_id, sum(credits) as credits from member_spend_hours
         where organization_id = ${organization} group by user_id) as spent) as windows,
      (select jsonb_object_agg(user_id, jsonb_build_array(per_order_limit_credits, spend_limit_credits))
       from memberships where organization_id = ${organization}) as caps,
      (select count(*) from billing_deadlines where organization_id = ${organization}) as due,
      (select count(*) from events where organization_id = ${organization}) as told`),
    )
  return {
    entries: (row!.entries ?? []).map((entry) => ({ ...entry, created_at: new Date(entry.created_at).toISOString() })),
    head: row!.head,
    accounts: row!.accounts ?? {},
    lots: row!.lots ?? {},
    holds: row!.holds ?? {},
    windows: row!.windows ?? {},
    caps: row!.caps ?? {},
    due: row!.due!,
    told: row!.told!,
  }
}

export const summarizeEntry = ({
  kind,
  amount_credits,
  available_after_credits,
  held_after_credits,
}: StoredJournalEntry): EntrySummary => [kind, amount_credits, available_after_credits, held_after_credits]

/** A violation of the chain in the observed entries, independent of the model; null if there is none. */
export function findEntryProblem({ entries, head }: ObservedLedger, before: ChainHead): string | null {
  let end = before
  for (const entry of entries) {
    const sum = entry.postings.reduce((total, { amount_credits }) => total + amount_credits, 0)
    if (sum !== 0) return `the entry ${entry.position} sums to ${sum}`
    if (entry.position !== end.position + 1) return `the entry ${entry.position} follows ${end.position}`
    if (entry.hash !== hashJournalEntry(end.hash, entry)) return `the hash of the entry ${entry.position} is wrong`
    end = entry
  }
  const last = { position: end.position, hash: end.hash }
  if (head ? !isDeepStrictEqual(head, last) : end.position > 0) return `the chain ends at ${JSON.stringify(head)}`
  return null
}

/** The first difference between the observed state and the model; null if there is none. */
export function compareWithModel(
  wallet: ModelWallet,
  observed: ObservedLedger,
  fixture: LedgerFixture,
  touched: TouchedRows,
): string | null {
  const pairs: readonly (readonly [what: string, seen: unknown, modelled: unknown])[] = [
    ...Object.entries(observed.accounts).map(
      ([name, credits]) => [name, credits, wallet.accounts.get(name) ?? 0] as const,
    ),
    ...touched.lots.map(
      (name) => [`lot ${name}`, observed.lots[idOf(fixture, name)], lotColumns(wallet.lots.get(name))] as const,
    ),
    ...touched.holds.map(
      (name) =>
        [`hold ${name}`, observed.holds[idOf(fixture, name)], holdColumns(wallet.holds.get(name), fixture)] as const,
    ),
    ...fixture.users.map(
      (id, user) => [`member ${user}`, observed.windows[id] ?? 0, countedCredits(wallet, user)] as const,
    ),
    ...fixture.users.map(
      (id, user) => [`caps of member ${user}`, observed.caps[id], spendLimitsOf(wallet, user)] as const,
    ),
    ['deadlines', observed.due, wallet.due.size],
    ['events', observed.told, [...wallet.eventCounts.values()].reduce((sum, count) => sum + count, 0)],
  ]
  const wrong = pairs.find(([, actual, modelled]) => !isDeepStrictEqual(actual, modelled))
  return wrong ? `${wrong[0]} is ${JSON.stringify(wrong[1])}, and in the model ${JSON.stringify(wrong[2])}` : null
}

const lotColumns = (lot: ModelLot | undefined): LotColumns | undefined =>
  lot && [lot.available, lot.held, lot.captured, lot.expired, lot.refunded]

function holdColumns(hold: ModelHold | undefined, fixture: LedgerFixture): HoldColumns | undefined {
  if (!hold) return undefined
  const { amount, outcome, settled, charged } = hold
  const parts = Object.fromEntries(hold.parts.map((part) => [idOf(fixture, part.lot), part.amount]))
  const held = [hold.parts.length > 0 ? parts : null, amount] as const
  const lines = charged.length > 0 ? charged : null
  return outcome === null ? [...held, null, null, null, null] : [...held, outcome, settled, amount - settled, lines]
}

const spendLimitsOf = ({ caps }: ModelWallet, user: number): ObservedLedger['caps'][string] => [
  caps.get(user)?.per_order ?? null,
  caps.get(user)?.window ?? null,
]

/** The total of a member over all hours. */
const countedCredits = ({ holds }: ModelWallet, user: number): number =>
  [...holds.values()]
    .filter((hold) => hold.user === user)
    .reduce((sum, hold) => sum + (hold.outcome === null ? hold.amount : hold.settled), 0)

/** The lots and holds that differ between wallets. */
export function listTouchedRows(before: ModelWallet, after: readonly ModelWallet[]): TouchedRows {
  const changed = <Row>(old: Map<string, Row>, now: Map<string, Row>): string[] =>
    [...now].filter(([name, row]) => old.get(name) !== row).map(([name]) => name)
  return {
    lots: [...new Set(after.flatMap((wallet) => changed(before.lots, wallet.lots)))],
    holds: [...new Set(after.flatMap((wallet) => changed(before.holds, wallet.holds)))],
  }
}

/**
 * Checks the final state of a history: ledger invariants, the verified chain, and every lot, hold, balance, window, deadline
 * and event as in the model. Returns the problems.
 */
export async function findFinalProblems(
  fixture: LedgerFixture,
  wallet: ModelWallet,
  head: ChainHead | null,
): Promise<string[]> {
  const end = head ?? { position: 0, hash: genesisHash }
  const {
    organization,
    proofDatabase: { database },
  } = fixture
  const problems = await findLedgerViolations(database.unscoped, organization)
  const verdict = await verifyLedger(database.forOrganization(organization), organization)
  if (!verdict.valid || !isDeepStrictEqual(verdict.head, end)) problems.push(`verification: ${JSON.stringify(verdict)}`)
  const all = { lots: [...wallet.lots.keys()], holds: [...wallet.holds.keys()] }
  const difference = compareWithModel(wallet, await readLedger(fixture, end, all), fixture, all)
  if (difference !== null) problems.push(difference)
  const [due, eventCounts] = [await readDeadlines(fixture), await countEvents(fixture)]
  if (!isDeepStrictEqual(due, wallet.due))
    problems.push(`deadlines are ${show(due)}, and in the model ${show(wallet.due)}`)
  if (!isDeepStrictEqual(eventCounts, wallet.eventCounts))
    problems.push(`events are ${show(eventCounts)}, and in the model ${show(wallet.eventCounts)}`)
  return problems
}

const show = (map: Map<string, number>): string => JSON.stringify([...map])

async function readDeadlines({
  organization,
  names,
  proofDatabase: { database },
}: LedgerFixture): Promise<Map<string, number>> {
  const rows = await database.forOrganization(organization).query<{
    kind: string
    subject_id: string
    due_at: Date
  }>(sql`
    select kind, subject_id, due_at from billing_deadlines where organization_id = ${organization}`)
  return new Map(
    rows.map((row) => [`${row.kind} ${names.get(row.subject_id) ?? row.subject_id}`, row.due_at.getTime()]),
  )
}

async function countEvents({ organization, proofDatabase: { database } }: LedgerFixture): Promise<Map<string, number>> {
  const rows = await database.forOrganization(organization).query<{ kind: string; count: number }>(sql`
    select kind, count(*) as count from events where organization_id = ${organization} group by kind`)
  return new Map(rows.map((row) => [row.kind, row.count]))
}
