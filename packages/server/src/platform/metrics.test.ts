import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

const lineOf = (text: string, start: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(start))

test('calls are counted by operation and status, and their durations fall into buckets', () => {
  const metrics = createMetrics()
  metrics.recordCall('items.get', 200, 4)
  metrics.recordCall('items.get', 200, 40)
  metrics.recordCall('items.get', 404, 60_000)
  const text = metrics.print()
  assert.equal(lineOf(text, 'swath_calls_total{operation="items.get",status="200"}')?.split(' ')[1], '2')
  assert.equal(lineOf(text, 'swath_calls_total{operation="items.get",status="404"}')?.split(' ')[1], '1')
  const bucket = (bound: string) =>
    lineOf(text, `swath_call_seconds_bucket{operation="items.get",le="${bound}"}`)?.split(' ')[1]
  assert.equal(bucket('0.0025'), '0')
  assert.equal(bucket('0.005'), '1')
  assert.equal(bucket('0.05'), '2')
  assert.equal(bucket('30'), '2')
  assert.equal(bucket('+Inf'), '3')
  assert.equal(lineOf(text, 'swath_call_seconds_count{operation="items.get"}')?.split(' ')[1], '3')
  assert.equal(lineOf(text, 'swath_call_seconds_sum{operation="items.get"}')?.split(' ')[1], '60.044')
})

test('every metric has its help and type before its values, and duplicate names are rejected', () => {
  const metrics = createMetrics()
  metrics.gauge('queue_waiting', 'Waiting tasks.').set(3, { task: 'a"b\\c\nd' })
  metrics.counter('plain_total', 'A plain one.').add()
  const lines = metrics.print().split('\n')
  const at = lines.indexOf('# TYPE queue_waiting gauge')
  assert.equal(lines[at - 1], '# HELP queue_waiting Waiting tasks.')
  assert.equal(lines[at + 1], 'queue_waiting{task="a\\"b\\\\c\\nd"} 3')
  assert.ok(lines.includes('plain_total 1'))
  assert.throws(() => metrics.counter('queue_waiting', 'Again.'), /two metrics/)
  assert.throws(() => metrics.counter('Queue-Waiting', 'Bad.'), /not a valid metric name/)
  for (const line of lines.filter((entry) => entry !== '')) {
    assert.match(line, /^(# (HELP|TYPE) |[a-z][a-z0-9_]*(\{.*\})? -?[\d.e+-]+$)/)
  }
})

test('the number of series is bounded, and further labels are summed up as other', () => {
  const metrics = createMetrics()
  const counter = metrics.counter('wild_total', 'Labels from outside.')
  for (let index = 0; index < 5000; index += 1) counter.add({ id: index })
  const lines = metrics
    .print()
    .split('\n')
    .filter((line) => line.startsWith('wild_total'))
  assert.equal(lines.length, 2001)
  assert.ok(lines.includes('wild_total{id="other"} 3000'))
})

test('process metrics are reported', () => {
  const text = createMetrics().print()
  assert.ok(Number(lineOf(text, 'process_resident_memory_bytes')?.split(' ')[1]) > 1e6)
  assert.ok(Number(lineOf(text, 'process_cpu_seconds')?.split(' ')[1]) > 0)
})
