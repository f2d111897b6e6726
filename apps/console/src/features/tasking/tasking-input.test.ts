import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTaskingChoices } from './tasking-url.ts'
import { toPlaceInput, toWindow, windowDays } from './tasking-input.ts'
import type { TaskableProduct } from './tasking-products.ts'

const now_ms = Date.parse('2026-07-01T10:20:30Z')
const product = { id: 'p', title: 'Fine', max_window_days: 10 } as unknown as TaskableProduct
const area = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] } as const // prettier-ignore

test('the proposed window begins now and is as long as the product permits', () => {
  const request = parseTaskingChoices({})
  assert.deepEqual(windowDays(request, product, now_ms), { from: '2026-07-01', to: '2026-07-11' })
  assert.deepEqual(toWindow(request, product, now_ms), {
    from: '2026-07-01T10:20:00.000Z',
    to: '2026-07-11T10:20:00.000Z',
  })
})

test('a chosen window includes its last day', () => {
  const request = parseTaskingChoices({ from: '2026-07-03', to: '2026-07-04' })
  assert.deepEqual(toWindow(request, product, now_ms), {
    from: '2026-07-03T00:00:00.000Z',
    to: '2026-07-05T00:00:00.000Z',
  })
})

test('an order has the chosen pass, the constraints and the price as its limit', () => {
  const request = parseTaskingChoices({ pass: 'neo-1', cloud: 0, replan: true })
  const window = toWindow(request, product, now_ms)
  const { groups, max_credits } = toPlaceInput(request, product, area as never, { window, max_credits: 65_000 })
  assert.equal(max_credits, 65_000)
  assert.deepEqual(groups[0]!.params, {
    acquisitionStart: window.from,
    acquisitionEnd: window.to,
    maxCloudCover: 0,
    opportunityId: 'neo-1',
    replan: true,
  })
})
