import assert from 'node:assert/strict'
import { verifyLedger } from '../src/domains/ledger/verify.ts'
import { everyOrganization } from '../src/domains/organizations/named.ts'
import { sql, type Sql } from '../src/platform/database/sql.ts'
import { billingRules } from './billing-rules.ts'
import { ledgerRules, ofAll } from './books-rules.ts'
import type { TestHouse } from './setup.ts'

/** What is true of orders and their money besides. */
const orderRules: readonly (readonly [string, Sql])[] = [
  [
    'a hold and its order have not ended together',
    sql`select o.id from orders o
        left join credit_hold_resolutions resolution
          on resolution.organization_id = o.organization_id and resolution.hold_id = o.hold_id
        where o.hold_id is not null
          and (o.status in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')) <> (resolution.hold_id is not null)`,
  ],
  [
    'an order says of its money what its hold does not',
    sql`select o.id from orders o
        join credit_hold_resolutions resolution
          on resolution.organization_id = o.organization_id and resolution.hold_id = o.hold_id
        where (o.captured_credits, o.refunded_credits) <> (resolution.settled_credits, resolution.released_credits)`,
  ],
  [
    'a priced order without a hold, or a free one with one',
    sql`select id from orders where (total_credits > 0) <> (hold_id is not null)`,
  ],
  [
    'an item was delivered twice',
    sql`select order_id from items where order_id is not null
        group by organization_id, order_id, scene_key having count(*) > 1`,
  ],
  [
    'a delivered capture without its item, or the other way round',
    sql`select capture.item_id from order_captures capture
        left join items item on item.organization_id = capture.organization_id and item.id = capture.item_id
        where (capture.delivered_at is null) <> (item.id is null)`,
  ],
]

/** Looks at the books of every organization of a house and fails with each sentence that is not true of them. */
export async function assertBooks(house: Pick<TestHouse, 'database'>): Promise<void> {
  const violations: string[] = []
  const rules = [
    ...ledgerRules.map(([sentence, statement]) => [sentence, statement(ofAll)] as const),
    ...orderRules,
    ...billingRules,
  ]
  for (const [sentence, statement] of rules) {
    const rows = await house.database.across.query(statement)
    if (rows.length > 0) violations.push(`${sentence}: ${JSON.stringify(rows.slice(0, 3))}`)
  }
  const verified = journals.get(house) ?? new Map<string, string>()
  journals.set(house, verified)
  for (const [organization, journal] of await journalsOf(house)) {
    if (verified.get(organization) === journal) continue
    const { faults } = await verifyLedger(house.database.of(organization), organization)
    violations.push(...faults.map((fault) => `the journal: ${JSON.stringify(fault)}`))
    verified.set(organization, journal)
  }
  assert.deepEqual(violations, [])
}

/** What the journal of each organization was when it was verified last: what is the same to the last column is not verified again. */
const journals = new WeakMap<object, Map<string, string>>()

const journalTables = [
  'journal_entries',
  'journal_postings',
  'ledger_heads',
  'ledger_accounts',
  'credit_lots',
  'credit_holds',
  'credit_hold_resolutions',
] as const

/** A digest of all that a verification reads, by organization. */
async function journalsOf({ database }: Pick<TestHouse, 'database'>): Promise<Map<string, string>> {
  const digests = journalTables.map(
    (name) => sql`
      select organization_id, ${name}::text as name, ${digestBy(sql`hashtextextended(t::text, 0)`)} as digest
      from ${sql.identifier(name, journalTables)} t group by organization_id`,
  )
  const rows = await database.across.query<{ organization_id: string; digest: string }>(sql`
    select organization_id, string_agg(name || ' ' || digest, ', ' order by name) as digest
    from (${sql.join(digests, sql` union all `)}) d group by organization_id`)
  const known = new Map(rows.map((row) => [row.organization_id, row.digest]))
  return new Map((await everyOrganization(database.across)).map((id) => [id, known.get(id) ?? '']))
}

/** Tables that change by signing in and by time alone, and those that no call can change. */
const leftOut = [
  'sessions',
  'refresh_tokens',
  'signing_key_ring',
  'installation',
  'principal_changes',
  'rate_limit_counts',
  'spatial_ref_sys',
  'schema_migrations',
  'reconciliation_runs',
]

/** A digest of all rows of every table, and of the tasks that wait: equal before and after a call that changed nothing. */
export async function digestOf({ database }: Pick<TestHouse, 'database'>): Promise<Record<string, string>> {
  const tables = await database.across.query<{ name: string; is_used: boolean }>(sql`
    select c.relname as name, exists (
      select 1 from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attname = 'last_used_at') as is_used
    from pg_catalog.pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all(${leftOut}::text[])
    order by c.relname`)
  const names = tables.map((table) => table.name)
  const digests = tables.map(({ name, is_used }): Sql => {
    const hash = is_used
      ? sql`hashtextextended((to_jsonb(t) - 'last_used_at')::text, 0)`
      : sql`hashtextextended(t::text, 0)`
    return sql`select ${name}::text as name, ${digestBy(hash)} as digest from ${sql.identifier(name, names)} t`
  })
  const tasks = sql`
    select 'tasks' as name, ${digestBy(sql`hashtextextended(t.id::text, 0)`)} as digest
    from boss.job t where t.name like 'orders.%' and t.name <> 'orders.sweep'`
  const rows = await database.across.query<{ name: string; digest: string }>(
    sql.join([...digests, tasks], sql` union all `),
  )
  return Object.fromEntries(rows.map((row) => [row.name, row.digest]))
}

/** Of rows in any order. */
const digestBy = (hash: Sql): Sql => sql`count(*) || ' rows, ' || coalesce(sum(${hash}), 0)`

/** Runs `work` and fails when anything in the database is another than before, but for what is in the named tables. */
export async function unchanged<T>(house: TestHouse, work: () => Promise<T>, but: readonly string[] = []): Promise<T> {
  const others = async (): Promise<object> =>
    Object.fromEntries(Object.entries(await digestOf(house)).filter(([name]) => !but.includes(name)))
  const before = await others()
  const result = await work()
  assert.deepEqual(await others(), before)
  return result
}
