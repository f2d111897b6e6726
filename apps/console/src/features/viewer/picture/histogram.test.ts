import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRange, formatValue, histogramPath, quantile, visibleRange } from './histogram.ts'

const even = { counts: [25, 25, 25, 25], edges: [0, 1, 2, 3, 4] }

test('a quantile is interpolated within its bin', () => {
  assert.equal(quantile(even, 0.5), 2)
  assert.ok(Math.abs(quantile(even, 0.02) - 0.08) < 1e-9)
  assert.deepEqual(defaultRange(even).map((value) => Number(value.toFixed(2))), [0.08, 3.92]) // prettier-ignore
  assert.equal(quantile({ counts: [0, 10, 0], edges: [0, 1, 2, 3] }, 0), 1)
})

test('rare values are not drawn, a chosen range is', () => {
  const tail = { counts: [1000, 1000, ...Array<number>(97).fill(0), 1], edges: Array.from({ length: 101 }, (_, at) => at) } // prettier-ignore
  const [, to] = visibleRange(tail, [0, 2])
  assert.ok(to < 3, String(to))
  assert.equal(visibleRange(tail, [0, 90])[1], 90)
})

test('an image of one value has a range that can be drawn', () => {
  const [from, to] = visibleRange({ counts: [5], edges: [7, 7] }, [7, 7])
  assert.ok(from < 7 && to > 7)
})

test('the outline stays within its box', () => {
  const numbers = histogramPath(even, [-1, 5], 100, 40)
    .match(/[\d.]+/g)!
    .map(Number)
  assert.ok(numbers.every((value) => value >= 0 && value <= 100))
  assert.equal(histogramPath({ counts: [], edges: [] }, [0, 1], 100, 40), '')
})

test('values have the digits that matter', () => {
  assert.deepEqual([0, 0.123456, 1234.56, 17176, 1e9, 0.00001].map(formatValue), ['0', '0.1235', '1,234.6', '17,176', '1.00e+9', '1.00e-5']) // prettier-ignore
})
