import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSize, type JobPrice } from './job-price.ts'

const sizeOf = (size: number, unit: string): string =>
  describeSize({ size, unit, memory_bytes: 45_000_000 } as JobPrice)

test('a small part of a million samples is a count of samples', () => {
  assert.equal(sizeOf(0.0047, 'megasample'), '4,700 samples, up to 45 MB of memory')
  assert.equal(sizeOf(0.123, 'megasample'), '0.12 million samples, up to 45 MB of memory')
  assert.equal(sizeOf(12, 'megasample'), '12 million samples, up to 45 MB of memory')
})

test('a unit without a name of its own is written as it is', () => {
  assert.equal(sizeOf(0.01, 'item'), '0.01 item, up to 45 MB of memory')
})
