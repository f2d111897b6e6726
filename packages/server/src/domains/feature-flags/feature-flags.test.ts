import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { computeFlagRolloutPosition } from './feature-flags.ts'

test('an organization keeps its place, and the places are spread over all hundred', () => {
  const organizations = Array.from({ length: 20_000 }, newId)
  const counts = Array.from({ length: 100 }, () => 0)
  for (const organization of organizations) {
    const place = computeFlagRolloutPosition('one', organization)
    assert.equal(computeFlagRolloutPosition('one', organization), place)
    counts[place]! += 1
  }
  // 200 are expected of each; seven standard deviations.
  assert.ok(Math.min(...counts) > 100 && Math.max(...counts) < 300, counts.join(' '))
})

test('another flag has other organizations first', () => {
  const organizations = Array.from({ length: 1000 }, newId)
  const firstOf = (flag: string): string[] =>
    organizations.filter((organization) => computeFlagRolloutPosition(flag, organization) < 50)
  const both = firstOf('one').filter((organization) => computeFlagRolloutPosition('two', organization) < 50)
  assert.ok(both.length > 150 && both.length < 350, String(both.length))
})
