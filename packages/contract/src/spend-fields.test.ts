import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TObject } from 'typebox'
import { operationRegistry } from './registry.ts'

/** Operations of the effect `spend` that move no credits beyond a hold that exists, with the reason. */
const settledBefore: Readonly<Record<string, string>> = {
  'processing.dispatch': 'the credits of the job were held when it was created',
  'processing.job.register': 'a worker charges what the hold of the job covers',
}

test('every operation that spends bounds its price and can be tried without spending', () => {
  const spending = operationRegistry.filter(({ effect }) => effect === 'spend')
  assert.ok(spending.length > 20)
  const lacking = spending.filter(({ input }) => {
    const { properties } = input as unknown as TObject
    return !Object.hasOwn(properties, 'max_credits') || !Object.hasOwn(properties, 'dry_run')
  })
  assert.deepEqual(lacking.map(({ id }) => id).toSorted(), Object.keys(settledBefore).toSorted())
})
