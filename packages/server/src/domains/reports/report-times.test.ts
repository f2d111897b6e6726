import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeReportInterval, computeNextReportRun, type ReportFrequency } from './report-times.ts'

const cases: readonly [ReportFrequency, now: string, next: string, from: string, to: string][] = [
  ['daily', '2030-03-01T05:59:59Z', '2030-03-01T06:00', '2030-02-28', '2030-03-01'],
  ['daily', '2030-03-01T06:00:00Z', '2030-03-02T06:00', '2030-03-01', '2030-03-02'],
  // 2030-03-04 is a Monday.
  ['weekly', '2030-03-03T12:00:00Z', '2030-03-04T06:00', '2030-02-25', '2030-03-04'],
  ['weekly', '2030-03-04T06:00:00Z', '2030-03-11T06:00', '2030-03-04', '2030-03-11'],
  ['monthly', '2030-12-31T23:00:00Z', '2031-01-01T06:00', '2030-12-01', '2031-01-01'],
  ['monthly', '2028-02-01T05:00:00Z', '2028-02-01T06:00', '2028-01-01', '2028-02-01'],
]

test('a run is at 6:00 UTC after its period and is about the complete period before', () => {
  for (const [frequency, now, next, from, to] of cases) {
    const due = computeNextReportRun(new Date(now), frequency)
    assert.equal(due.toISOString().slice(0, 16), next, `${frequency} after ${now}`)
    const interval = computeReportInterval(due, frequency)
    assert.deepEqual(
      [interval.from, interval.to].map((time) => time.toISOString()),
      [from, to].map((day) => `${day}T00:00:00.000Z`),
    )
  }
})
