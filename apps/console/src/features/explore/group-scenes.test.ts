import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countDays, groupByPass } from './group-scenes.ts'
import { describeLicence } from '../../payments/describe-licence.ts'
import { describeSensor } from './describe-scene.ts'
import { toOlderInput } from './older-scenes.ts'
import type { Scene } from './scenes.ts'

const scene = (id: string, properties: Readonly<Record<string, unknown>>): Scene => ({
  type: 'Feature',
  id,
  geometry: null,
  properties: { host: 'open', ...properties },
  'service:price': null,
})
const take = (id: string, platform: string, datetime: string): Scene => scene(id, { platform, datetime })

test('scenes of one satellite within minutes are a pass, in the order of the list', () => {
  const passes = groupByPass([
    take('late', 'sentinel-2a', '2026-05-02T00:10:00Z'),
    take('other', 'landsat-8', '2026-05-01T23:55:00Z'),
    take('early', 'sentinel-2a', '2026-05-01T23:50:00Z'),
    take('next orbit', 'sentinel-2a', '2026-05-02T01:40:00Z'),
    scene('undated', { platform: 'sentinel-2a' }),
    scene('undated too', { platform: 'sentinel-2a' }),
    scene('unknown satellite', { datetime: '2026-05-01T23:50:00Z' }),
  ])
  assert.deepEqual(
    passes.map(({ time, sensor, scenes }) => [time, sensor, scenes.map(({ id }) => id).join()]),
    [
      ['2026-05-01T23:50:00Z', 'sentinel-2a', 'late,early'],
      ['2026-05-01T23:55:00Z', 'landsat-8', 'other'],
      ['2026-05-02T01:40:00Z', 'sentinel-2a', 'next orbit'],
      [null, 'sentinel-2a', 'undated,undated too'],
      ['2026-05-01T23:50:00Z', null, 'unknown satellite'],
    ],
  )
  assert.equal(new Set(passes.map(({ id }) => id)).size, passes.length)
})

test('the days that have scenes are counted in UTC, the first one first', () => {
  const days = countDays([
    take('c', 'x', '2026-05-02T00:10:00Z'),
    take('a', 'x', '2026-05-01T23:50:00Z'),
    take('b', 'y', '2026-05-02T12:00:00Z'),
    scene('undated', {}),
  ])
  assert.deepEqual(days, [
    { date: '2026-05-01', count: 1 },
    { date: '2026-05-02', count: 2 },
  ])
})

test('satellites and licences are named for people', () => {
  assert.deepEqual(['sentinel-2a', 'landsat-8', 'oli, tirs', 'WorldView-3'].map(describeSensor), [
    'Sentinel-2A',
    'Landsat-8',
    'Oli, Tirs',
    'WorldView-3',
  ])
  assert.deepEqual(['proprietary', 'PDDL-1.0', 'toString'].map(describeLicence), [
    'Licence of the provider',
    'PDDL-1.0',
    'toString',
  ])
})

test('older scenes are searched from the oldest one on, and those at the border are not counted', () => {
  const known = [
    take('a', 'x', '2026-05-03T00:00:00.000Z'),
    take('b', 'x', '2026-05-01T00:00:00.000Z'),
    take('c', 'x', '2026-05-01T00:00:00.000Z'),
    scene('year', { datetime: '2026-06-01T00:00:00.000Z', start_datetime: '2026-01-01T00:00:00.000Z' }),
  ]
  assert.deepEqual(toOlderInput({ limit: 500, bbox: [1, 2, 3, 4] }, known), {
    limit: 503,
    bbox: [1, 2, 3, 4],
    datetime: '../2026-05-01T00:00:00.001Z',
  })
  const dated = toOlderInput({ limit: 500, datetime: '2026-04-01/2026-05-03' }, known)
  assert.equal(dated.datetime, '2026-04-01/2026-05-01T00:00:00.001Z')
  const after = toOlderInput({ limit: 500, datetime: '2026-05-02/..' }, known)
  assert.deepEqual([after.datetime, after.limit], ['2026-05-02/2026-05-02T00:00:00.000Z', 503])
  assert.deepEqual(toOlderInput({ limit: 500 }, []), { limit: 500 })
})
