import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openTestDatabase } from '../../../packages/server/test/database.ts'
import { historiesArbitrary, replayHistory } from './history.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

test('random histories have the same results in the ledger and in the model', async () => {
  const property = fc.asyncProperty(historiesArbitrary(50), (history) => replayHistory({ database }, history))
  await fc.assert(property, { seed: 20_261_121, numRuns: 12, interruptAfterTimeLimit: 60_000 })
})
