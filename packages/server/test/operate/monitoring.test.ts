import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { createMetrics } from '../../src/platform/metrics.ts'
import { placeFirstSceneOrder } from '../delivered-order.ts'
import { waitForOrder } from '../orders.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const operateFolder = new URL('../../../../docs/operate/', import.meta.url)
const readText = (name: string): Promise<string> => readFile(new URL(name, operateFolder), 'utf8')

/** The names of metrics in expressions or prose; `up` is made by Prometheus itself. */
const namesIn = (text: string): Set<string> => new Set(text.match(/\b(swath|process|nodejs)_[a-z0-9_]+[a-z0-9]\b/g))

let app: TestApp
before(async () => {
  app = await startTestApp({ metrics: createMetrics({ ofProcess: true }) })
})
after(() => app?.close())

const readMetrics = async (): Promise<string> => (await fetch(`${app.url}/metrics`)).text()

test('calls, tasks and the queue are in the metrics after an order was delivered', async () => {
  await waitForOrder(app.admin, await placeFirstSceneOrder(app.admin), 'FULFILLED')
  const text = await readMetrics()
  assert.match(text, /^swath_calls_total\{operation="orders\.archive\.place",status="20\d"\} 1$/m)
  assert.match(text, /^swath_task_attempts_total\{task="[\w.-]*fulfil[\w.-]*",outcome="succeeded"\} [1-9]/m)
  assert.match(text, /^# TYPE swath_queue_tasks gauge$/m)
  assert.match(text, /^swath_metrics_failed_reads_total 0$/m)
})

test('every metric of the alert rules, the dashboard and the documentation is printed', async () => {
  const printed = namesIn((await readMetrics()).replaceAll(/^# HELP.*$/gm, ''))
  for (const name of ['alert-rules.yml', 'grafana-dashboard.json', 'monitoring.md']) {
    const used = [...namesIn(await readText(name))]
    assert.ok(used.length > 5, name)
    assert.deepEqual(
      used.filter((metric) => !printed.has(metric)),
      [],
      name,
    )
  }
})
