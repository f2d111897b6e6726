import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseClockAdvanceTarget } from './advance-clock.ts'
import { requireSandboxYear } from './sandbox-years.ts'

const day_s = 86_400

test('the clock of a sandbox begins and is moved within the years 1970 to 2200', () => {
  for (const time of ['1970-01-01T00:00:00Z', '2200-12-31T23:59:59.999Z'])
    assert.doesNotThrow(() => requireSandboxYear(new Date(time), 'sandbox_time'), time)
  for (const time of ['1969-12-31T23:59:59.999Z', '2201-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
    const refusal = { problem: 'validation', message: 'sandbox_time: is not in the years 1970 to 2200' }
    assert.throws(() => requireSandboxYear(new Date(time), 'sandbox_time'), refusal, time)
  }
  const now = new Date('2200-12-01T00:00:00Z')
  assert.equal(parseClockAdvanceTarget({ seconds: 30 * day_s }, now).toISOString(), '2200-12-31T00:00:00.000Z')
  assert.throws(() => parseClockAdvanceTarget({ seconds: 31 * day_s }, now), { problem: 'validation' })
  assert.throws(() => parseClockAdvanceTarget({ to: '2201-01-01T00:00:00Z' }, now), { problem: 'validation' })
})
