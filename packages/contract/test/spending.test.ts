import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendFields } from '../src/schemas/spend.ts'
import { operationRegistry } from '../src/registry.ts'

const spending = operationRegistry.filter(({ effect }) => effect === 'spend')
const propertiesOf = (schema: object): object => (schema as { readonly properties?: object }).properties ?? {}

/** Operations that move what an earlier call held, with the reason: they take nothing that could be bounded or previewed. */
const heldBefore: Readonly<Record<string, string>> = {
  'processing.dispatch': 'the price was held when the job was created',
  'processing.job.register': 'the hold of the job is captured',
}

const previewed = spending.filter(({ id }) => !Object.hasOwn(heldBefore, id))

test('every operation that spends has max_credits and dry_run, unless its price is held already', () => {
  const lacking = previewed.filter(
    ({ input }) => !Object.keys(spendFields).every((name) => Object.hasOwn(propertiesOf(input), name)),
  )
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
  )
})

test('every operation that spends returns the entries of a dry run, unless its price is held already', () => {
  const lacking = previewed.filter(({ output }) => !Object.hasOwn(propertiesOf(output), 'dry_run'))
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
  )
})
