import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database, Tx } from '../../platform/database/database.ts'
import { DatabaseFailure } from '../../platform/database/failures.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { createCallMeter } from './call-meter.ts'
import { upsertCallCounts } from './store.calls.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app.close())

const log = { warn: () => {}, error: () => {} } as never

type Work = (tx: Tx) => Promise<unknown>

/** The database with its transactions of organizations replaced; `run` is the real one. */
const withTransaction = (transaction: (work: Work, run: (work: Work) => Promise<unknown>) => Promise<unknown>) =>
  ({
    ...app.database,
    forOrganization: (id: string) => {
      const db = app.database.forOrganization(id)
      return { ...db, transaction: (work: Work) => transaction(work, (inner) => db.transaction(inner)) }
    },
  }) as Database

async function readCallCount(organization: string): Promise<number> {
  const [row] = await app.database.forOrganization(organization).query<{ calls: number }>(sql`
    select coalesce(sum(calls), 0)::bigint as calls from usage_counts where organization_id = ${organization}`)
  return row!.calls
}

test('counts of which a part could not be written are all written once, with the next ones', async () => {
  const { owner, organization } = await app.createOrganization()
  let statements = 0
  const database = withTransaction((work, run) =>
    run((tx) => {
      const query = async <Row>(statement: Sql): Promise<Row[]> => {
        if (++statements === 2) throw new Error('the second statement fails')
        return tx.query<Row>(statement)
      }
      return work({ ...tx, query })
    }),
  )
  const meter = createCallMeter({ database, clock: app.clock, log })
  for (let at = 0; at < 501; at++) {
    const principal = { ...owner.principal, id: `caller ${at}` }
    meter.count({ principal, operation: 'items.get', failed: false, duration_ms: 0 })
  }
  await meter.flush()
  assert.deepEqual([statements, await readCallCount(organization), meter.readUnwritten()], [2, 0, 501])
  await meter.close()
  assert.equal(meter.readUnwritten(), 0)
  assert.equal(await readCallCount(organization), 501)
})

test('counts are not written twice after a commit whose outcome is unknown', async () => {
  const { owner, organization } = await app.createOrganization()
  let commits = 0
  const database = withTransaction(async (work, run) => {
    await run(work)
    if (++commits === 1) throw new DatabaseFailure('outcome-unknown', 'the connection was lost')
  })
  const meter = createCallMeter({ database, clock: app.clock, log })
  const count = () => meter.count({ principal: owner.principal, operation: 'items.get', failed: false, duration_ms: 0 })
  count()
  await meter.flush()
  assert.equal(meter.readUnwritten(), 0)
  count()
  await meter.close()
  assert.deepEqual([commits, await readCallCount(organization)], [2, 2])
})

test('rows are added in the order of their keys', async () => {
  const { owner, organization } = await app.createOrganization()
  const keys = ['2030-01-02 a 1', '2030-01-01 b 1', '2030-01-01 a 2', '2030-01-01 a 10']
  const rows = keys.map((key) => {
    const [day, operation, caller_id] = key.split(' ') as [string, string, string]
    return { day, operation, caller_kind: 'api_key', caller_id, calls: 1, failed: 0, duration_ms: 0 }
  })
  const added: unknown[] = []
  const flatten = (value: unknown): unknown[] =>
    typeof value === 'object' && value !== null && 'strings' in value ? (value as Sql).values.flatMap(flatten) : [value]
  const query = async (statement: Sql) => {
    added.push(...flatten(statement))
    return []
  }
  await upsertCallCounts({ query } as unknown as Tx, organization, rows, owner.clock.now())
  const texts = added.filter((value) => ['a', 'b', '1', '2', '10'].includes(String(value)) && typeof value === 'string')
  assert.deepEqual(texts, ['a', '10', 'a', '2', 'b', '1', 'a', '1'])
})
