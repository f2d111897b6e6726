import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePreferences } from './preferences.ts'

test('preferences are read in any case and order, and those that are unknown or cannot be read are ignored', () => {
  for (const [header, isAsync, wait_ms] of [
    ['', false, null],
    ['respond-async', true, null],
    ['Return=minimal, RESPOND-ASYNC', true, null],
    ['respond-async;foo="a", wait=10', true, 10_000],
    ['wait="5"', false, 5000],
    ['wait=0', false, 0],
    ['wait=-1, handling=lenient', false, null],
    ['wait=9999999', false, null],
    ['not-respond-async', false, null],
  ] as const)
    assert.deepEqual(parsePreferences(header), { isAsync, wait_ms }, header)
})
