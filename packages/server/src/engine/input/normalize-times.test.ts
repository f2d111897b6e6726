import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsCreateOperation } from '@swath/contract/operations/items.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { createMinimalValue } from '../../../test/contract/minimal-input.ts'
import { readCallInput } from './read-input.ts'
import { normalizeTime } from './normalize-times.ts'

test('a time without an offset is UTC, a date is the start or end of its day, and other texts are unchanged', () => {
  assert.equal(normalizeTime('2024-05-01', 'start'), '2024-05-01T00:00:00.000Z')
  assert.equal(normalizeTime('2024-05-01', 'end'), '2024-05-01T23:59:59.999Z')
  assert.equal(normalizeTime('2024-05-01T10:00:00.5', 'end'), '2024-05-01T10:00:00.5Z')
  assert.equal(normalizeTime('2024-05-01 10:00:00', 'start'), '2024-05-01T10:00:00Z')
  for (const text of ['2024-05-01T10:00:00+02:00', '2024-05-01T10:00:00Z', 'soon', '2024']) {
    assert.equal(normalizeTime(text, 'start'), text)
  }
})

test('readCallInput normalizes the date-time members of an input', () => {
  const item = { project_id: '01a2045a-c6b3-7313-97a8-726578bfbd02', name: 'a', type: 'user_raster' }
  const input = readCallInput(itemsCreateOperation, {
    ...item,
    datetime: '2024-05-01T10:00:00',
    start_datetime: '2024-05-01',
    end_datetime: '2024-05-02',
  }) as Record<string, unknown>
  assert.deepEqual(
    [input['datetime'], input['start_datetime'], input['end_datetime']],
    ['2024-05-01T10:00:00Z', '2024-05-01T00:00:00.000Z', '2024-05-02T23:59:59.999Z'],
  )
  assert.throws(() => readCallInput(itemsCreateOperation, { ...item, datetime: '2024-02-30' }), {
    problem: 'validation',
  })
})

test('normalizes nested times, and expires_at to the end of its day', () => {
  const geometry = { type: 'Polygon', coordinates: [[]] }
  const group = { geometry, acquisitionStart: '2024-05-01', acquisitionEnd: '2024-05-02', sensor: null }
  const tasking = readCallInput(findOperation('orders.tasking.estimate')!, { groups: [group] }) as { groups: object[] }
  assert.deepEqual(tasking.groups, [
    {
      geometry,
      acquisitionStart: '2024-05-01T00:00:00.000Z',
      acquisitionEnd: '2024-05-02T23:59:59.999Z',
      sensor: null,
    },
  ])
  const share = findOperation('share.link.create')!
  const link = readCallInput(share, {
    ...(createMinimalValue(share.input) as object),
    expires_at: '2024-05-02',
  }) as Record<string, unknown>
  assert.equal(link['expires_at'], '2024-05-02T23:59:59.999Z')
})

test('a time outside the years 0001 to 9999, or with a time zone in brackets, is refused at any depth', () => {
  const readGroup = (acquisitionEnd: string): unknown =>
    readCallInput(findOperation('orders.tasking.estimate')!, {
      groups: [{ geometry: { type: 'Polygon', coordinates: [[]] }, acquisitionEnd }],
    })
  for (const time of [
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:30:00-01:00',
    '2026-01-01T00:00:00Z[Europe/Paris]',
  ]) {
    const refusal = { problem: 'validation', message: 'groups.0.acquisitionEnd: must match format "date-time"' }
    assert.throws(() => readGroup(time), refusal, time)
  }
})

test('a leap second becomes the second after it', () => {
  const input = readCallInput(findOperation('organizations.audit.list')!, {
    from: '2016-12-31T23:59:60Z',
  }) as Record<string, unknown>
  assert.equal(input['from'], '2017-01-01T00:00:00.000Z')
})
