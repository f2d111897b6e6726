import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateText, parseDate } from './parse-date.ts'

test('a date is read as the console writes it, and as ISO', () => {
  assert.equal(parseDate('28 Nov 2026'), '2026-11-28')
  assert.equal(parseDate(' 5 september 2026 '), '2026-09-05')
  assert.equal(parseDate('2026-3-7'), '2026-03-07')
  assert.equal(parseDate(dateText('2024-02-29')), '2024-02-29')
  assert.equal(dateText(''), '')
})

test('an ambiguous or unfinished date, and a day that does not exist, is not a date', () => {
  for (const text of ['', '11/28/2026', '28 Nov', '28 Nov 202', '2026-11', '30 Feb 2026', '2026-13-01', '1 Foo 2026'])
    assert.equal(parseDate(text), null, text)
})
