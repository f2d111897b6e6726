import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeStacQuery } from './stac-query.ts'

test('converts sortby to sort keys, with plus also as a space', () => {
  const keysOf = (sortby: string | string[]): unknown => JSON.parse(String(normalizeStacQuery({ sortby })['sortby']))
  const ascending = { field: 'a', direction: 'asc' }
  for (const text of ['a', '+a', ' a']) assert.deepEqual(keysOf(text), [ascending])
  assert.deepEqual(keysOf('-properties.b,+a'), [{ field: 'properties.b', direction: 'desc' }, ascending])
  assert.deepEqual(keysOf('[{"field":"a","direction":"asc"}]'), [ascending])
  assert.deepEqual(keysOf(['-b', 'a']), [{ field: 'b', direction: 'desc' }, ascending])
})

test('restores the plus of a UTC offset that became a space', () => {
  const timeOf = (datetime: string): unknown => normalizeStacQuery({ datetime })['datetime']
  assert.equal(timeOf('2019-06-01T00:00:00 01:00/..'), '2019-06-01T00:00:00+01:00/..')
  assert.equal(timeOf('../2019-06-01T00:00:00 05:30'), '../2019-06-01T00:00:00+05:30')
  for (const text of ['2019-06-01 00:00:00Z', '2019-06-01T00:00:00Z/..']) assert.equal(timeOf(text), text)
})

test('keeps unknown parameters for validation to refuse, drops a reference system that is the only one', () => {
  const crs = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84'
  assert.deepEqual(normalizeStacQuery({ limit: '1', surprise: 'x', 'filter-crs': crs, 'bbox-crs': crs }), {
    limit: '1',
    surprise: 'x',
  })
  assert.deepEqual(normalizeStacQuery({ 'filter-crs': 'EPSG:3857' }), { 'filter-crs': 'EPSG:3857' })
})
