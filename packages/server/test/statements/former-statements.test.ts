import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertDomainEvent, type NewEventRow } from '../../src/domains/events/store.ts'
import { updateApiKeyLastUsed } from '../../src/domains/identity/store.ts'
import { deleteTileTokens } from '../../src/domains/identity/tile-tokens/store.tile-tokens.ts'
import { dueOrderRows } from '../../src/domains/orders/store.lists.ts'
import {
  deleteExpiredIdempotencyClaims,
  releaseAbandonedIdempotencyClaims,
} from '../../src/engine/store.idempotency.ts'
import type { OrganizationTime } from '../../src/platform/clock.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { findDueTimes } from '../../src/platform/sandbox/due-rows.ts'
import { openTestDatabase } from '../database.ts'
import { assertDistributable } from './assert-distributable.ts'
import { checkStatements } from './check-statements.ts'
import { collectStatements } from './collect-statements.ts'
import { formerStatements } from './former-statements.ts'
import { readSchemaFacts } from './schema-facts.ts'

const now = new Date('2030-06-01T12:00:00Z') as OrganizationTime

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

test('each statement that a cluster refused, or ran on all shards, is refused with its sender and the reason', async () => {
  const facts = await readSchemaFacts(database.unscoped)
  for (const statement of formerStatements) {
    const { file, line, name, refusal } = statement
    const [finding, ...others] = checkStatements([statement], facts)
    assert.deepEqual(others, [])
    assert.equal(finding?.split('\n')[0], `${file}:${line} ${name} ${refusal}:`)
  }
})

const event: NewEventRow = {
  organization_id: newId(),
  id: newId(),
  kind: 'project.created',
  entity_type: 'project',
  entity_id: newId(),
  project_id: null,
  data: {},
  actor_kind: 'user',
  actor_id: newId(),
  operation: 'projects.create',
  request_id: newId(),
  created_at: now,
}

test('the statements that are sent instead are accepted', async () => {
  const { organization_id: organization } = event
  const collected = collectStatements()
  try {
    await database.forOrganization(organization).transaction((tx) => insertDomainEvent(tx, event))
    await findDueTimes(database.unscoped, dueOrderRows(organization, 1000), now)
    await database.unscoped.query(sql`
      insert into idempotency_claims (organization_id, operation, key, body_hash, holder, created_at)
      values (${organization}, 'test.buy', 'key', 'x', ${newId()}, now() - interval '25 hours')`)
    await releaseAbandonedIdempotencyClaims(database.unscoped)
    assert.equal(await deleteExpiredIdempotencyClaims(database.unscoped), 1)
    await database.unscoped.transaction((tx) => deleteTileTokens(tx, organization, [newId()]))
    await updateApiKeyLastUsed(database.unscoped, organization, [{ id: newId(), at: now, address: null }])
  } finally {
    collected.stop()
  }
  const senders = new Set(collected.statements.map(({ name }) => name))
  for (const { name } of [
    insertDomainEvent,
    findDueTimes,
    releaseAbandonedIdempotencyClaims,
    deleteExpiredIdempotencyClaims,
    deleteTileTokens,
    updateApiKeyLastUsed,
  ])
    assert.ok(senders.has(name), name)
  await assertDistributable(collected.statements)
})
