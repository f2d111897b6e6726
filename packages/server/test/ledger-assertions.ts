import assert from 'node:assert/strict'
import { listCitusNodes } from './citus/cluster.ts'
import { verifyLedger } from '../src/domains/ledger/verify.ts'
import { listEveryOrganizationId } from '../src/domains/organizations/all-organizations.ts'
import { sql, type Sql } from '../src/platform/database/sql.ts'
import { billingInvariants } from './billing-invariants.ts'
import { ledgerInvariants, allOrganizations } from './ledger-invariants.ts'
import type { TestApp } from './test-app.ts'

/** Invariants of orders and their holds. */
const orderInvariants: readonly (readonly [string, Sql])[] = [
  [
    'an order is final and its hold is not resolved, or the reverse',
    sql`select o.id from orders o
        left join credit_hold_resolutions resolution
          on resolution.organization_id = o.organization_id and resolution.hold_id = o.hold_id
        where o.hold_id is not null
          and (o.status in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')) <> (resolution.hold_id is not null)`,
  ],
  [
    'the captured and refunded amounts of an order are not those of its hold',
    sql`select o.id from orders o
        join credit_hold_resolutions resolution
          on resolution.organization_id = o.organization_id and resolution.hold_id = o.hold_id
        where (o.captured_credits, o.refunded_credits) <> (resolution.settled_credits, resolution.released_credits)`,
  ],
  [
    'a priced order has no hold, or a free order has one',
    sql`select id from orders where (total_credits > 0) <> (hold_id is not null)`,
  ],
  [
    'a scene of an order was delivered twice',
    sql`select order_id from items where order_id is not null
        group by organization_id, order_id, scene_key having count(*) > 1`,
  ],
  [
    'a delivered capture has no item, or an undelivered one has an item',
    sql`select capture.item_id from order_captures capture
        left join items item on item.organization_id = capture.organization_id and item.id = capture.item_id
        where (capture.delivered_at is null) <> (item.id is null)`,
  ],
]

/** Checks the ledgers of all organizations of an app; fails with each invariant that is violated. */
export async function assertLedgerConsistent(app: Pick<TestApp, 'database'>): Promise<void> {
  const violations: string[] = []
  const invariants = [
    ...ledgerInvariants.map(([sentence, statement]) => [sentence, statement(allOrganizations)] as const),
    ...orderInvariants,
    ...billingInvariants,
  ]
  for (const [sentence, statement] of invariants) {
    const rows = await app.database.unscoped.query(statement)
    if (rows.length > 0) violations.push(`${sentence}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const verifiedDigests = verifiedJournals.get(app) ?? new Map<string, string>()
  verifiedJournals.set(app, verifiedDigests)
  for (const [organization, digest] of await digestJournals(app)) {
    if (verifiedDigests.get(organization) === digest) continue
    const { faults } = await verifyLedger(app.database.forOrganization(organization), organization)
    violations.push(...faults.map((fault) => `journal verification: ${JSON.stringify(fault)}`))
    verifiedDigests.set(organization, digest)
  }
  assert.deepEqual(violations, [])
}

/** The journal digest of each organization at its last verification: an unchanged journal is not verified again. */
const verifiedJournals = new WeakMap<object, Map<string, string>>()

const journalTables = [
  'journal_entries',
  'journal_postings',
  'ledger_heads',
  'ledger_accounts',
  'credit_lots',
  'credit_holds',
  'credit_hold_resolutions',
] as const

/** Digests the tables that a verification reads, by organization. */
async function digestJournals({ database }: Pick<TestApp, 'database'>): Promise<Map<string, string>> {
  const digests = journalTables.map(
    (name) => sql`
      select organization_id, ${name}::text as name, ${digestExpression(sql`hashtextextended(t::text, 0)`)} as digest
      from ${sql.identifier(name, journalTables)} t group by organization_id`,
  )
  const rows = await database.unscoped.query<{ organization_id: string; digest: string }>(sql`
    select organization_id, string_agg(name || ' ' || digest, ', ' order by name) as digest
    from (${sql.join(digests, sql` union all `)}) d group by organization_id`)
  const digestByOrganization = new Map(rows.map((row) => [row.organization_id, row.digest]))
  return new Map(
    (await listEveryOrganizationId(database.unscoped)).map((id) => [id, digestByOrganization.get(id) ?? '']),
  )
}

/** Tables that change by sign-in or by time alone, and tables that no call can change. */
const ignoredTables = [
  'sessions',
  'refresh_tokens',
  'signing_key_ring',
  'installation',
  'principal_changes',
  'rate_limit_counts',
  // Every call is counted, whatever it does.
  'usage_counts',
  // Every write call leaves a row, also one that is refused.
  'audit_entries',
  'audit_heads',
  'spatial_ref_sys',
  'schema_migrations',
  'reconciliation_runs',
  // A sweep sends what earlier calls have caused; what a call causes is in `notifications` as well.
  'emails',
]

/**
 * A digest of the rows of every table and of the pending tasks: equal before and after a call that changes nothing. With an
 * organization, rows and tasks that belong to another one are left out, since background work may change them at any moment.
 */
export async function digestDatabase(
  { database }: Pick<TestApp, 'database'>,
  organization: string | null = null,
): Promise<Record<string, string>> {
  const hasColumn = (name: string): Sql => sql`exists (
    select 1 from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = ${name})`
  const tables = await database.unscoped.query<DigestedTable>(sql`
    select c.relname as name, ${hasColumn('last_used_at')} as is_used, ${hasColumn('organization_id')} as is_owned,
      ${listCitusNodes() === null} and pg_relation_size(c.oid) = 0
        and not exists (select 1 from pg_partition_tree(c.oid) where pg_relation_size(relid) > 0) as is_empty
    from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${ignoredTables}::text[])
    order by c.relname`)
  const names = tables.map((table) => table.name)
  const ofOrganization = (column: Sql): Sql => sql`(${organization}::text is null or ${column} = ${organization})`
  // Planning a statement over all tables takes most of its time, and most of them are empty.
  const digests = tables
    .filter(({ is_empty }) => !is_empty)
    .map(({ name, is_used, is_owned }): Sql => {
      const hash = is_used
        ? sql`hashtextextended((to_jsonb(t) - 'last_used_at' - 'last_used_address')::text, 0)`
        : sql`hashtextextended(t::text, 0)`
      return sql`
      select ${name}::text as name, ${digestExpression(hash)} as digest from ${sql.identifier(name, names)} t
      where ${is_owned ? ofOrganization(sql`t.organization_id::text`) : sql`true`}`
    })
  // A sweep may enqueue the task of a due order again at any moment: each task counts once.
  const tasks = sql`
    select 'tasks' as name, ${digestExpression(sql`hashtextextended(t::text, 0)`)} as digest
    from (select distinct name, data ->> 'organization_id' as organization, data ->> 'order_id' as order_id from boss.job) t
    where t.name like 'orders.%' and t.name not like 'orders.sweep%' and ${ofOrganization(sql`t.organization`)}`
  const rows = await database.unscoped.query<{ name: string; digest: string }>(
    sql.join([...digests, tasks], sql` union all `),
  )
  return Object.fromEntries([...names.map((name) => [name, '0 rows, 0']), ...rows.map((row) => [row.name, row.digest])])
}

interface DigestedTable {
  readonly name: string
  readonly is_used: boolean
  readonly is_owned: boolean
  /** No page was ever written. */
  readonly is_empty: boolean
}

/** Independent of the order of the rows. */
const digestExpression = (hash: Sql): Sql => sql`count(*) || ' rows, ' || coalesce(sum(${hash}), 0)`

interface UnchangedOptions {
  /** Tables that may change. */
  readonly exceptTables?: readonly string[]
  /** Only what belongs to this organization, or to none. */
  readonly organization?: string
}

/** Runs `action` and fails if it changes any table of the database. */
export async function assertUnchanged<T>(
  app: TestApp,
  action: () => Promise<T>,
  { exceptTables = [], organization }: UnchangedOptions = {},
): Promise<T> {
  const digest = async (): Promise<object> => {
    const digests = Object.entries(await digestDatabase(app, organization ?? null))
    return Object.fromEntries(digests.filter(([name]) => !exceptTables.includes(name)))
  }
  const before = await digest()
  const result = await action()
  assert.deepEqual(await digest(), before)
  return result
}
