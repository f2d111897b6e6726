import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../ids.ts'
import { buildBeginStatements } from './postgres-session.ts'

const timeouts = { statement_ms: 1000, search_ms: 1000, script_ms: 1000 }

test('on Citus, the organization is the only setting that a transaction sends to the nodes', () => {
  const organization = newId()
  for (const mode of ['lenient', 'strict'] as const)
    for (const session of [
      { role: 'app', organization },
      { role: 'across', organization: null },
      { role: 'owner', organization: null },
    ] as const) {
      const statements = buildBeginStatements(session, timeouts, mode)
      const request = statements.indexOf(`set local citus.propagate_set_commands = 'local'`)
      assert.ok(request > 0)
      const expected = session.organization === null ? [] : [`set local app.organization_id = '${organization}'`]
      assert.deepEqual(statements.slice(request + 1), expected)
    }
})
