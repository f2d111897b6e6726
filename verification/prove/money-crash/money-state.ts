import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { findViolations } from '../harness/rules.ts'
import { verifyLedger } from '../../../packages/server/src/domains/ledger/verify.ts'

/** Rows about the money of an organization, also at the processor, normalized so that two runs are comparable. */
export type MoneyState = Readonly<Record<string, readonly string[]>>

/** Tables that are unrelated to money, or only count attempts. */
const excludedTables = new Set([
  'api_keys',
  'sessions',
  'refresh_tokens',
  'memberships',
  'organization_slugs',
  'organizations',
  'reconciliation_runs',
  'usage_counts',
  'audit_entries',
  'audit_heads',
  'users',
])

/** Columns that differ between attempts. */
const volatileColumns = [
  'request_id',
  'invocation_id',
  'attempts',
  'next_at',
  'holder',
  'hash',
  'body_hash',
  'updated_at',
  'digest',
]

/**
 * The call and the webhook race to post a payment; the entry names the first one. Only the one that requested a refund
 * has the processor's id of it.
 */
const racedColumns = ['actor_id', 'actor_kind', 'operation', 'idempotency_key', 'note', 'processor_refund']

/** Columns that differ between two runs of the same script, by table. E-mails are sent whenever the next sweep runs. */
const columnsNotCompared: Readonly<Record<string, readonly string[]>> = {
  journal_entries: racedColumns,
  events: racedColumns,
  payment_refunds: racedColumns,
  emails: ['state', 'recipient', 'error', 'finished_at', 'next_attempt_at', 'lease_until'],
}

/** Generated ids, times, secrets and names, which differ between runs. */
const generatedPatterns: readonly (readonly [RegExp, string])[] = [
  // First: a signed document holds encoded ids and times.
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'signed'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'id'],
  [/\b(pi|cus|pm|evt|re|ch|seti|dp)_\w+/g, '$1_'],
  [/\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})/g, 'time'],
  [/\d{4}-\d{2}-\d{2}/g, 'day'],
  [/\bevt_?[0-9a-f]{20,}/g, 'evt_'],
  [/"created": \d+/g, '"created": time'],
  [/\b[0-9a-f]{64}\b/g, 'hash'],
  [/Org [0-9a-f]{8}/g, 'Org'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'server'],
  [/\\?"trace_id\\?":\\?"[^"]*"/g, 'trace'],
]

/** Replaces generated values by the name of their kind. */
export const normalizeGenerated = (text: string): string =>
  generatedPatterns.reduce((changed, [pattern, word]) => changed.replaceAll(pattern, word), text)

/** Month ends are planned once a day, which happens in some runs only. */
const rowFilters: Readonly<Record<string, Sql>> = { billing_deadlines: sql`kind <> 'month-end'` }

interface TextRow {
  readonly text: string
}

/** Rows of tenant tables, and rows of the processor that contain the organization, its customer or its payments. */
export async function readMoneyState({ unscoped }: Database, organization: string): Promise<MoneyState> {
  const tables = await unscoped.query<{ name: string; tenant: boolean }>(sql`
    select t.table_name as name, exists (
      select 1 from information_schema.columns c
      where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'organization_id') as tenant
    from information_schema.tables t
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE' order by t.table_name`)
  const names = tables.map(({ name }) => name)
  const related = await listRelatedIds({ unscoped }, organization)
  const state: Record<string, string[]> = {}
  for (const { name, tenant } of tables) {
    if (excludedTables.has(name) || (!tenant && !name.startsWith('processor_'))) continue
    const excludedColumns = [...volatileColumns, ...(columnsNotCompared[name] ?? [])]
    const row = sql`(to_jsonb(whole_row) - ${excludedColumns}::text[])::text as text from ${sql.identifier(name, names)} as whole_row`
    const rows = tenant
      ? await unscoped.query<TextRow>(
          sql`select ${row} where organization_id = ${organization} and ${rowFilters[name] ?? sql`true`}`,
        )
      : await unscoped.query<TextRow>(sql`
          select ${row} where exists (
            select 1 from unnest(${related}::text[]) as it (id) where position(it.id in to_jsonb(whole_row)::text) > 0)`)
    state[name] = rows.map(({ text }) => normalizeGenerated(text)).toSorted()
  }
  return state
}

/** Ids of the organization's customer and payment intents at the processor. */
async function listRelatedIds({ unscoped }: Pick<Database, 'unscoped'>, organization: string): Promise<string[]> {
  const rows = await unscoped.query<{ id: string }>(sql`
    select id from processor_customers where organization_id = ${organization}
    union all
    select intent.id from processor_intents intent
    join processor_customers customer on customer.id = intent.customer
    where customer.organization_id = ${organization}`)
  return [organization, ...rows.map(({ id }) => id)]
}

/** Invariants of an organization when all tasks are done, whether the interrupted call was repeated or not. */
const moneyInvariants: readonly (readonly [string, (organization: string) => Sql])[] = [
  [
    'the processor has a payment that is never finished',
    (organization) => sql`
      select intent.id, intent.status from processor_intents intent
      join processor_customers customer on customer.id = intent.customer
      where customer.organization_id = ${organization}
        and intent.status in ('requires_action', 'requires_capture', 'processing')
        and not exists (
          select 1 from card_authorisations a
          join credit_holds h on h.organization_id = a.organization_id and h.id = a.hold_id
          left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
          where a.organization_id = ${organization} and a.intent = intent.id and r.hold_id is null)`,
  ],
  [
    'a hold is open without an open order or job',
    (organization) => sql`
      select h.id from credit_holds h
      left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
      left join orders o on o.organization_id = h.organization_id and o.hold_id = h.id
      where h.organization_id = ${organization} and r.hold_id is null and h.reference_type <> 'job'
        and (o.id is null or o.status in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED'))`,
  ],
  [
    'captured payments do not equal the ledger',
    (organization) => sql`
      select taken, booked from (
        select coalesce(sum(intent.captured_cents - intent.refunded_cents), 0) as taken from processor_intents intent
        join processor_customers customer on customer.id = intent.customer
        where customer.organization_id = ${organization}) processor,
      (select coalesce(-sum(balance_credits), 0) as booked from ledger_accounts
       where organization_id = ${organization} and name in ('stripe.clearing', 'card.authorised')) ledger
      where taken <> booked`,
  ],
]

/** Violated money invariants of an organization. */
export async function findMoneyProblems(database: Database, organization: string): Promise<string[]> {
  const rules = moneyInvariants.map(([sentence, statement]) => [sentence, statement(organization)] as const)
  const problems = await findViolations(database.unscoped, rules)
  const verified = await verifyLedger(database.forOrganization(organization), organization)
  return [...problems, ...verified.faults.map((fault) => `the journal: ${JSON.stringify(fault)}`)]
}
