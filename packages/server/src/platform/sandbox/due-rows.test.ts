import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute_ms } from '@swath/geo/time-units.ts'
import { openTestDatabase } from '../../../test/database.ts'
import type { OrganizationTime } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { findDueTimes, type DueRowsQuery } from './due-rows.ts'
import { sql } from '../database/sql.ts'

const now = new Date('2026-03-01T12:00:00Z') as OrganizationTime
const at = (minutes: number): Date => new Date(now.getTime() + minutes * minute_ms)

/** Rows whose column has these times, in minutes after now. */
const rowsAt = (minutes: readonly number[], options: Partial<DueRowsQuery> = {}): DueRowsQuery => ({
  from: sql`unnest(${minutes.map(at)}::timestamptz[]) as time`,
  where: sql`true`,
  at: sql`time`,
  ...options,
})

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const find = (...kinds: readonly DueRowsQuery[]) => findDueTimes(database.unscoped, kinds, now)

test('answers for each kind in its order whether a row is due, and when the next one will be', async () => {
  assert.deepEqual(await find(rowsAt([-5, 0, 7, 3]), rowsAt([]), rowsAt([2]), rowsAt([-1])), [
    { is_due: true, next_at: at(3) },
    { is_due: false, next_at: null },
    { is_due: false, next_at: at(2) },
    { is_due: true, next_at: null },
  ])
  assert.deepEqual(await find(), [])
})

test('counts the due time from the column, later or earlier', async () => {
  assert.deepEqual(
    await find(rowsAt([-9, -4], { delay_ms: 5 * minute_ms }), rowsAt([9, 4], { delay_ms: -5 * minute_ms })),
    [
      { is_due: true, next_at: at(1) },
      { is_due: true, next_at: at(4) },
    ],
  )
})

test('names the next multiple of a step, and no time for rows that do not stop the clock', async () => {
  const step_ms = 10 * minute_ms
  assert.deepEqual(
    await find(rowsAt([3], { step_ms }), rowsAt([10], { step_ms }), rowsAt([-1, 3], { stops_clock: false })),
    [
      { is_due: false, next_at: at(10) },
      { is_due: false, next_at: at(10) },
      { is_due: true, next_at: null },
    ],
  )
})

test('gives the same answer where the index on the time is one for all organizations', async () => {
  assert.deepEqual(await find(rowsAt([-5, 7], { has_shared_index: true })), [{ is_due: true, next_at: at(7) }])
})
