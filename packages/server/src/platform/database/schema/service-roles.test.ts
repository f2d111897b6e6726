import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createTestDatabase, testDatabaseUrl } from '../../../../test/database.ts'
import { newId } from '../../ids.ts'
import type { DbConnection } from '../database.ts'
import { openPostgres } from '../postgres.ts'
import { getSchemaOwnerConnection, getStatementRunner } from '../raw.ts'
import { createServiceRole } from './service-roles.ts'
import { sql } from '../sql.ts'

/** Resolves once a statement of this database waits for another transaction. */
async function waitUntilBlocked(owner: DbConnection): Promise<void> {
  for (;;) {
    const [row] = await owner.query<{ blocked: number }>(sql`
      select count(*)::int as blocked from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`)
    if (row && row.blocked > 0) return
    await setTimeout(5)
  }
}

/** Roles belong to a cluster, which the embedded database does not share. */
function testsOnServer(server: string): void {
  test('a role that another database creates at the same moment can be granted to right afterwards', async (t) => {
    const made = await createTestDatabase(server)
    const open = () => openPostgres({ url: made.url, pool_size: 2, statement_timeout_ms: 10_000 })
    const [first, second] = [await open(), await open()]
    const name = `swath_test_${newId().replaceAll('-', '')}`
    t.after(async () => {
      await Promise.all([first.close(), second.close()])
      await made.drop()
    })
    const owner = getSchemaOwnerConnection(second)
    let created: Promise<void> | undefined
    await getSchemaOwnerConnection(first).transaction(async (tx) => {
      await getStatementRunner(tx).script(`create role ${name} nologin`)
      created = createServiceRole(owner, name)
      await waitUntilBlocked(owner)
    })
    await created
    await getStatementRunner(owner).script(`grant usage on schema public to ${name}`)
    const [row] = await owner.query<{ granted: boolean }>(
      sql`select has_schema_privilege(${name}::text, 'public', 'usage') as granted`,
    )
    assert.equal(row?.granted, true)
    await getStatementRunner(owner).script(`drop owned by ${name}; drop role ${name}`)
  })
}

const server = testDatabaseUrl()
if (server !== null) testsOnServer(server)
