import assert from 'node:assert/strict'
import { openTestDatabase } from '../database.ts'
import type { CollectedStatement } from './collect-statements.ts'
import { checkStatements } from './check-statements.ts'
import { readSchemaFacts } from './schema-facts.ts'

/** Fails with each statement that an engine would refuse whose tables are distributed by organization. */
export async function assertDistributable(statements: readonly CollectedStatement[]): Promise<void> {
  if (statements.length === 0) return
  const database = await openTestDatabase()
  try {
    const findings = checkStatements(statements, await readSchemaFacts(database.unscoped))
    assert.ok(findings.length === 0, findings.join('\n\n'))
  } finally {
    await database.close()
  }
}
