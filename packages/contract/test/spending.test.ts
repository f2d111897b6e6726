import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spendFields } from '../src/schemas/spend.ts'
import { registry } from '../src/registry.ts'

const spending = registry.filter(({ effect, implemented }) => effect === 'spend' && implemented)
const propertiesOf = (schema: object): object => (schema as { readonly properties?: object }).properties ?? {}

test('every operation that spends has max_credits and dry_run', () => {
  const lacking = spending.filter(
    ({ input }) => !Object.keys(spendFields).every((name) => Object.hasOwn(propertiesOf(input), name)),
  )
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
  )
})

test('every operation that spends returns the entries of a dry run', () => {
  const lacking = spending.filter(({ output }) => !Object.hasOwn(propertiesOf(output), 'dry_run'))
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
  )
})
