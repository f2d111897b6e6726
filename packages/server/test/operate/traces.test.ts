import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { after, before, test } from 'node:test'
import type { ActiveSpan, SpanAttributes, SpanOptions, Tracing } from '../../src/platform/tracing/tracing.ts'
import { placeFirstSceneOrder } from '../delivered-order.ts'
import { waitForOrder } from '../orders.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

interface RecordedSpan {
  readonly name: string
  readonly id: string
  readonly trace_id: string
  readonly parent: string | null
  readonly kind: SpanOptions['kind']
  readonly attributes: Record<string, unknown>
  failed: string | null
}

/** Records spans in memory, with ids that count up. */
function recordSpans(): { readonly tracing: Tracing; readonly spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = []
  const current = new AsyncLocalStorage<RecordedSpan>()
  const tracing: Tracing = {
    span: async (name, { kind, parent, attributes = {} }, work) => {
      const [, trace_id, parentId] = (parent === undefined ? tracing.current() : parent)?.split('-') ?? []
      const id = String(spans.length + 1).padStart(16, '0')
      const recorded: RecordedSpan = {
        name,
        id,
        kind,
        trace_id: trace_id ?? id.padStart(32, 'a'),
        parent: parentId ?? null,
        attributes: { ...attributes },
        failed: null,
      }
      spans.push(recorded)
      const active: ActiveSpan = {
        trace_id: recorded.trace_id,
        setAttributes: (more: SpanAttributes) => void Object.assign(recorded.attributes, more),
        setFailed: (reason) => void (recorded.failed = reason),
      }
      return current.run(recorded, () => work(active))
    },
    current: () => {
      const span = current.getStore()
      return span ? `00-${span.trace_id}-${span.id}-01` : null
    },
    close: async () => undefined,
  }
  return { tracing, spans }
}

const { tracing, spans } = recordSpans()
let app: TestApp
before(async () => {
  app = await startTestApp({ tracing })
})
after(() => app?.close())

test('the trace of a call continues in the tasks that it enqueued, and in theirs', async () => {
  await waitForOrder(app.admin, await placeFirstSceneOrder(app.admin), 'FULFILLED')
  const call = spans.find(({ name }) => name === 'orders.archive.place')!
  assert.equal(call.attributes['http.response.status_code'], 202)
  const tasks = spans.filter(({ kind, trace_id }) => kind === 'consumer' && trace_id === call.trace_id)
  assert.ok(tasks.some(({ parent }) => parent === call.id))
  assert.ok(tasks.some(({ name }) => /fulfil/.test(name)))
})

test('a call continues the trace of its header; a refusal is no failure of it', async () => {
  const trace_id = '0af7651916cd43dd8448eb211c80319c'
  const response = await fetch(`${app.url}/v1/op/orders.get`, {
    headers: { traceparent: `00-${trace_id}-b7ad6b7169203331-01` },
  })
  assert.equal(response.status, 401)
  const span = spans.find((candidate) => candidate.trace_id === trace_id)!
  assert.deepEqual(
    [span.name, span.parent, span.failed, span.attributes['error.type'], span.attributes['http.response.status_code']],
    ['orders.get', 'b7ad6b7169203331', null, 'unauthenticated', 401],
  )
})

test('tasks that nothing enqueued in a trace begin their own', () => {
  const scheduled = spans.filter(({ kind, name }) => kind === 'consumer' && /sweep/.test(name))
  assert.ok(scheduled.length > 0)
  for (const { parent } of scheduled) assert.equal(parent, null)
})
