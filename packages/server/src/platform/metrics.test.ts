import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

const findValue = (text: string, series: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.slice(series.length + 1)

test('calls are counted by operation and status, and their durations fall into buckets', async () => {
  const metrics = createMetrics()
  metrics.recordCall('items.get', 200, 4)
  metrics.recordCall('items.get', 200, 40)
  metrics.recordCall('items.get', 404, 60_000)
  const text = await metrics.print()
  assert.equal(findValue(text, 'swath_calls_total{operation="items.get",status="200"}'), '2')
  assert.equal(findValue(text, 'swath_calls_total{operation="items.get",status="404"}'), '1')
  const countUpTo = (bound: string) => findValue(text, `swath_call_seconds_bucket{le="${bound}",operation="items.get"}`)
  assert.deepEqual(['0.0025', '0.005', '0.05', '30', '+Inf'].map(countUpTo), ['0', '1', '2', '2', '3'])
  assert.equal(findValue(text, 'swath_call_seconds_sum{operation="items.get"}'), '60.044')
})

test('attempts at tasks are counted by outcome', async () => {
  const metrics = createMetrics()
  metrics.recordAttempt('orders.fulfil', 'failed', 20)
  metrics.recordAttempt('orders.fulfil', 'succeeded', 2000)
  const text = await metrics.print()
  assert.equal(findValue(text, 'swath_task_attempts_total{task="orders.fulfil",outcome="failed"}'), '1')
  assert.equal(findValue(text, 'swath_task_attempt_seconds_bucket{le="5",task="orders.fulfil"}'), '2')
})

test('gauges have the values of the scrape, and are left out and counted if their source fails', async () => {
  const metrics = createMetrics()
  const states: (() => Promise<Record<string, { labels: { task: string }; value: number }[]>>)[] = [
    async () => ({ waiting_tasks: [{ labels: { task: 'a "quoted" one' }, value: 3 }] }),
    async () => ({ waiting_tasks: [{ labels: { task: 'b' }, value: 1 }] }),
    () => Promise.reject(new Error('the database is gone')),
  ]
  metrics.addGauges({ gauges: { waiting_tasks: 'Waiting tasks.' }, labels: ['task'], read: () => states.shift()!() })
  const first = await metrics.print()
  assert.match(first, /^# HELP waiting_tasks Waiting tasks\.\n# TYPE waiting_tasks gauge$/m)
  assert.equal(findValue(first, 'waiting_tasks{task="a \\"quoted\\" one"}'), '3')
  const second = await metrics.print()
  assert.deepEqual([findValue(second, 'waiting_tasks{task="b"}'), second.includes('quoted')], ['1', false])
  const third = await metrics.print()
  assert.doesNotMatch(third, /^waiting_tasks/m)
  assert.equal(findValue(third, 'swath_metrics_failed_reads_total'), '1')
})

test('the metrics of the process are printed if they are requested', async () => {
  const text = await createMetrics({ ofProcess: true }).print()
  assert.ok(Number(findValue(text, 'process_resident_memory_bytes')) > 1e6)
  assert.ok(Number(findValue(text, 'nodejs_eventloop_lag_p99_seconds')) >= 0)
  assert.equal((await createMetrics().print()).includes('process_resident_memory_bytes'), false)
})
