import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { createSteppedComb } from '../../../../test/cql2/hostile-geometries.ts'
import { square } from '../../../../test/geometries.ts'
import { measureCoveredFractions } from './measure-covers.ts'

const area = square(10, 0, 1) as unknown as AreaGeometry

test('each list of footprints is measured, but those that take too many steps', () => {
  const lists = [[square(10, 0, 2)], [createSteppedComb(1000)], [], [square(9, 0, 1), square(12, 0, 1)]]
  assert.deepEqual(measureCoveredFractions({ area, lists } as never), [1, null, 0, 0])
})

test('the steps of a job end with those of its lists', () => {
  const lists = Array.from({ length: 12 }, () => [createSteppedComb(1000)])
  const fractions = measureCoveredFractions({ area, lists: [[area], ...lists, [area]] } as never)
  assert.deepEqual([fractions[0], fractions.at(-1)], [1, null])
})
