import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { openTracing } from './open-tracing.ts'
import { noTracing, parseTraceparent, type Tracing } from './tracing.ts'

interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status?: { readonly code?: number }
}

/** A collector: the spans and headers that arrive at `/v1/traces`. */
const received: ReceivedSpan[] = []
let headers: NodeJS.Dict<string | string[]> = {}
let receiver: Server
let endpoint: string

before(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += String(chunk)))
    request.on('end', () => {
      headers = { ...request.headers, url: request.url }
      for (const { scopeSpans } of JSON.parse(body).resourceSpans)
        for (const { spans } of scopeSpans) received.push(...spans)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
after(() => void receiver.close())

const open = (overrides: object = {}): Promise<Tracing> =>
  openTracing(
    {
      otel_endpoint: endpoint,
      otel_headers: { authorization: 'Bearer x' },
      otel_service_name: 'swath',
      otel_sample_ratio: 1,
      ...overrides,
    },
    { warn: () => undefined },
  )
const takeReceived = (): ReceivedSpan[] => received.splice(0)
const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('without an endpoint nothing is traced, and the work runs as it is', async () => {
  const tracing = await open({ otel_endpoint: null })
  assert.equal(tracing, noTracing)
  assert.equal(await tracing.span('call', { kind: 'server' }, async (span) => [span, tracing.current()].length), 2)
  assert.equal(tracing.current(), null)
})

test('spans continue the trace of a header, nest, and arrive at the collector with its headers', async () => {
  const tracing = await open()
  const carried = await tracing.span('orders.get', { kind: 'server', parent }, async (span) => {
    assert.equal(span?.trace_id, '0af7651916cd43dd8448eb211c80319c')
    await tracing.span('GET', { kind: 'client' }, async () => undefined)
    return tracing.current()
  })
  await tracing.span('orders.place', { kind: 'consumer', parent: carried }, async () => undefined)
  assert.equal(tracing.current(), null)
  await tracing.close()
  const spans = new Map(takeReceived().map((span) => [span.name, span]))
  const [call, request, task] = [spans.get('orders.get')!, spans.get('GET')!, spans.get('orders.place')!]
  assert.equal(call.parentSpanId, 'b7ad6b7169203331')
  assert.deepEqual([request.parentSpanId, task.parentSpanId], [call.spanId, call.spanId])
  assert.equal(new Set([call.traceId, request.traceId, task.traceId]).size, 1)
  assert.deepEqual([call.kind, request.kind, task.kind], [2, 3, 5])
  assert.deepEqual([headers['url'], headers['authorization']], ['/v1/traces', 'Bearer x'])
})

test('a span fails with its work, without the message of the error, and one with parent null begins a trace', async () => {
  const tracing = await open()
  await tracing.span('outer', { kind: 'server', parent: null }, async () => {
    const failing = tracing.span('inner', { kind: 'consumer', parent: null }, () =>
      Promise.reject(new TypeError('the secret of a customer')),
    )
    await assert.rejects(failing, TypeError)
  })
  await tracing.close()
  const spans = takeReceived()
  const inner = spans.find(({ name }) => name === 'inner')!
  assert.equal(inner.status?.code, 2)
  assert.doesNotMatch(JSON.stringify(spans), /secret/)
  assert.ok(!inner.parentSpanId)
})

test('the share of traces decides also about those whose caller asks for a recording', async () => {
  const tracing = await open({ otel_sample_ratio: 0 })
  await tracing.span('call', { kind: 'server', parent }, async () => assert.match(tracing.current()!, /-00$/))
  await tracing.span('other', { kind: 'server', parent: null }, async () => undefined)
  await tracing.close()
  assert.deepEqual(takeReceived(), [])
})

test('a collector that does not answer delays a stop by two seconds at most and does not fail the work', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const tracing = await open({ otel_endpoint: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` })
  assert.equal(await tracing.span('call', { kind: 'server' }, async () => 'done'), 'done')
  const begin = performance.now()
  await tracing.close()
  assert.ok(performance.now() - begin < 4000)
  silent.closeAllConnections()
  silent.close()
})

test('only valid trace contexts are continued', () => {
  assert.deepEqual(parseTraceparent(parent), {
    trace_id: '0af7651916cd43dd8448eb211c80319c',
    span_id: 'b7ad6b7169203331',
    sampled: true,
  })
  assert.equal(parseTraceparent(parent.replace(/01$/, '00'))?.sampled, false)
  for (const text of [
    null,
    '',
    'ff' + parent.slice(2),
    parent.toUpperCase(),
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`,
    `${parent}-more`,
  ])
    assert.equal(parseTraceparent(text), null, String(text))
})
