import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ViewItem } from '../state/view-item.ts'
import { frameLabel, lapseFrames } from './time-lapse.ts'

const item = (id: string, datetime: string | null, assets: readonly object[] = [{}]) =>
  ({ id, name: id, datetime, assets }) as unknown as ViewItem

test('a time-lapse shows the items with a date and a picture, oldest first', () => {
  const items = [
    item('c', '2020-01-01T00:00:00Z'),
    item('undated', null),
    item('a', '1985-06-01T00:00:00Z'),
    item('without files', '1990-01-01T00:00:00Z', []),
    item('b', '1995-01-01T00:00:00+02:00'),
  ]
  assert.deepEqual(
    lapseFrames(items).map(({ id }) => id),
    ['a', 'b', 'c'],
  )
  assert.equal(lapseFrames(Array.from({ length: 40 }, (_, at) => item(`${at}`, '2020-01-01T00:00:00Z'))).length, 24)
  assert.match(frameLabel(items[2]!), /1985/)
})
