import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { sql } from '../sql.ts'
import { withStatementTimeout } from './statement-timeout.ts'

test('statements have the timeout of their own, and those after them the previous one', async () => {
  const database = await openTestDatabase()
  try {
    await database.unscoped.transaction(async (tx) => {
      const read = async () => {
        const [row] = await tx.query<{ timeout: string }>(sql`select current_setting('statement_timeout') as timeout`)
        return row!.timeout
      }
      const previous = await read()
      assert.equal(await withStatementTimeout(tx, 2000, read), '2s')
      assert.equal(await read(), previous)
    })
  } finally {
    await database.close()
  }
})
