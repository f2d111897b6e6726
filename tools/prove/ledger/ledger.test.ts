import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { openTestDatabase } from '../../../packages/server/test/database.ts'
import { histories, live } from './history.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

test('random histories have the same results in the ledger and in the model', async () => {
  const property = fc.asyncProperty(histories(50), (history) => live({ database }, history))
  await fc.assert(property, { seed: 20_261_121, numRuns: 12, interruptAfterTimeLimit: 60_000 })
})
