import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sortPasses, toSwaths, toTracks, type PassOption } from './passes.ts'

const pass = (id: string, more: Partial<PassOption>): PassOption =>
  ({ id, acquisitionStart: '2026-07-01T10:00:00Z', probability: 0.5, coverage: 1, offNadirAngle: 10, conflict: null, groundTrack: null, swath: null, footprint: null, ...more }) as PassOption // prettier-ignore

const early = pass('early', { acquisitionStart: '2026-07-01T08:00:00Z', probability: 0.4, offNadirAngle: 30 })
const likely = pass('likely', { acquisitionStart: '2026-07-02T08:00:00Z', probability: 0.9, offNadirAngle: 20 })
const steep = pass('steep', {
  acquisitionStart: '2026-07-03T08:00:00Z',
  probability: 0.8,
  coverage: 0.1,
  offNadirAngle: 2,
})
const booked = pass('booked', {
  acquisitionStart: '2026-06-30T08:00:00Z',
  probability: 1,
  offNadirAngle: 0,
  conflict: 'task',
})
const all = [steep, booked, likely, early]
const ids = (passes: readonly PassOption[]) => passes.map(({ id }) => id)

test('passes are sorted by time, chance and angle, and those that are booked come last', () => {
  assert.deepEqual(ids(sortPasses(all, 'soonest')), ['early', 'likely', 'steep', 'booked'])
  assert.deepEqual(ids(sortPasses(all, 'likeliest')), ['likely', 'early', 'steep', 'booked'])
  assert.deepEqual(ids(sortPasses(all, 'steepest')), ['steep', 'likely', 'early', 'booked'])
})

test('a pass without a swath shows what it acquires, and one without a track shows none', () => {
  const footprint = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] } as unknown as PassOption['footprint'] // prettier-ignore
  const [feature] = toSwaths([pass('one', { footprint })]).features
  assert.deepEqual(feature, { type: 'Feature', properties: { id: 'one' }, geometry: footprint })
  assert.deepEqual(toTracks([early]).features, [])
})
