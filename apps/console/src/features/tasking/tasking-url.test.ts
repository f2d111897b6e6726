import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTaskingChoices, toTaskingUrl } from './tasking-url.ts'

const url = {
  product: 'constellation:tasking-30cm',
  area: '10,50;11,50;11,51',
  from: '2026-07-01',
  to: '2026-07-15',
  sensor: 'pleiades-neo',
  cloud: 20,
  offnadir: 25,
  sun: 30,
  replan: true,
  pass: 'pleiades-neo-3-20260702T1031Z',
} as const

test('a URL says the same after it was read and written', () => {
  assert.deepEqual(toTaskingUrl(parseTaskingChoices(url)), url)
})

test('members that are not valid are left out', () => {
  const broken = {
    area: '1,2',
    from: '2026-13-99',
    to: 7,
    cloud: 400,
    offnadir: '3',
    replan: 'yes',
    pass: '',
    other: 1,
  }
  assert.deepEqual(toTaskingUrl(parseTaskingChoices(broken)), {})
})
