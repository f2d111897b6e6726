import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyticsMethods } from '@swath/contract/analytics-methods.ts'
import { processRegistry } from '../../../packages/server/src/domains/processing/registry.ts'
import { attackedWork } from './work-attacks.ts'

test('every process and every analytics method has an attack', () => {
  const known = [...processRegistry.map(({ id }) => id), ...Object.keys(analyticsMethods)]
  assert.deepEqual(
    known.filter((name) => !attackedWork.has(name)),
    [],
  )
})
