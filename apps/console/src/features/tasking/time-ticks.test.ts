import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeTicks } from './time-ticks.ts'

test('two weeks have a tick every third day, which lies inside', () => {
  const ticks = timeTicks(Date.parse('2026-07-01T10:00:00Z'), Date.parse('2026-07-15T10:00:00Z'))
  assert.deepEqual(
    ticks.map(({ label }) => label),
    ['2 Jul', '5 Jul', '8 Jul', '11 Jul', '14 Jul'],
  )
})

test('a window of some hours inside a day has no tick', () => {
  assert.deepEqual(timeTicks(Date.parse('2026-07-01T10:00:00Z'), Date.parse('2026-07-01T12:00:00Z')), [])
})
