import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutageRetryAfter } from './outage-retry-after.ts'

test('Retry-After is random, grows while an outage lasts and is short again after it', () => {
  let now_ms = 0
  let randomValue = 0
  const outageRetryAfter = createOutageRetryAfter(
    () => now_ms,
    (below) => randomValue * below,
  )
  const range = (): number[] =>
    [0, 0.999].map((value) => {
      randomValue = value
      return outageRetryAfter.retryAfter_s()
    })
  assert.deepEqual(range(), [1, 2])
  for (now_ms = 10_000; now_ms < 60_000; now_ms += 10_000) range()
  assert.deepEqual(range(), [1, 15])
  for (; now_ms < 600_000; now_ms += 10_000) range()
  assert.deepEqual(range(), [1, 60])
  now_ms += 121_000
  assert.deepEqual(range(), [1, 2])
})
