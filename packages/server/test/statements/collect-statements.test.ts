import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '../../src/platform/database/sql.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { findLastEventNumber } from '../../src/domains/events/store.sequence.ts'
import { getSchemaOwnerConnection } from '../../src/platform/database/raw.ts'
import { newId } from '../../src/platform/ids.ts'
import { openTestDatabase } from '../database.ts'
import { assertDistributable } from './assert-distributable.ts'
import { collectStatements } from './collect-statements.ts'

let database: Database

before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

test('collects each statement of a store and a role once, with the function that sent it, and none of tests', async () => {
  const collected = collectStatements()
  try {
    const organization = newId()
    const db = database.forOrganization(organization)
    await findLastEventNumber(db, organization)
    await db.transaction((tx) => findLastEventNumber(tx, organization))
    await findLastEventNumber(getSchemaOwnerConnection(database), organization)
    await db.query(sql`select 1 from event_sequences`)
    await findLastEventNumber(database.unscoped, organization)
    const senders = collected.statements.map(({ file, name, role }) => [file, name, role])
    const [file, name] = ['domains/events/store.sequence.ts', 'findLastEventNumber']
    assert.deepEqual(senders, [
      [file, name, 'app'],
      [file, name, 'across'],
    ])
    assert.match(collected.statements[0]!.text, /select last_sequence from event_sequences/)
  } finally {
    collected.stop()
  }
})

test('the statements of a process are checked with the migrated schema', async () => {
  const sender = { file: 'domains/events/store.ts', line: 1, name: 'insertDomainEvent', role: 'app' } as const
  const text = 'update event_sequences set numbered_until = gen_random_uuid() where organization_id = $1'
  await assertDistributable([{ ...sender, text: 'select 1 from event_sequences' }])
  await assert.rejects(
    assertDistributable([{ ...sender, text }]),
    /insertDomainEvent assigns what depends on the function gen_random_uuid to event_sequences \(mutable-expression: /,
  )
})
