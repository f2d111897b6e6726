import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createClient } from '../client.ts'
import { ApiProblem } from '../problem.ts'
import { createSwath } from '../swath.ts'

interface Received {
  readonly path: string
  readonly lastEventId: string | null
  readonly input: Record<string, unknown>
}

const message = (id: string): string => `id: ${id}\nevent: order.created\ndata: {"event_id":"${id}"}\n\n`

/** A stream of these texts; then it breaks, ends, or stays open. */
function streamOf(texts: readonly string[], then: 'break' | 'end' | 'stay'): Response {
  let next = 0
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (next < texts.length) controller.enqueue(new TextEncoder().encode(texts[next++]))
        else if (then === 'break') controller.error(new TypeError('terminated'))
        else if (then === 'end') controller.close()
        else return new Promise(() => undefined)
        return undefined
      },
    }),
  )
}

/** A platform whose streams are opened in turn; the newest event so far is `e0`. Waits end at once. */
function connect(t: TestContext, streams: readonly (() => Response | Promise<Response>)[]) {
  t.mock.method(Math, 'random', () => 0)
  const received: Received[] = []
  let opened = 0
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    const path = new URL(request.url).pathname
    const input = (await request.json()) as Record<string, unknown>
    received.push({ path, lastEventId: request.headers.get('last-event-id'), input })
    return path.endsWith('events.list') ? Response.json({ events: [{ event_id: 'e0' }] }) : streams[opened++]!()
  }
  const swath = createSwath({ baseUrl: 'https://swath.example', auth: { apiKey: 'key' }, fetch, maxRetries: 0 })
  return { swath, fetch, received }
}

async function take(stream: AsyncIterable<unknown>, count: number): Promise<unknown[]> {
  const ids: unknown[] = []
  for await (const event of stream) {
    ids.push((event as { event_id: string }).event_id)
    if (ids.length === count) break
  }
  return ids
}

test('a stream that breaks, ends or cannot be opened is continued after the last event', async (t) => {
  const { swath, received } = connect(t, [
    () => streamOf(['retry: 2', '000\n\n', message('e1').slice(0, 9), message('e1').slice(9)], 'break'),
    () => Promise.reject(new TypeError('fetch failed')),
    () => new Response('{}', { status: 503 }),
    () => streamOf([': still open\n\n', message('e2') + message('e3')], 'end'),
    () => streamOf([message('e4')], 'stay'),
  ])
  assert.deepEqual(await take(swath.events.stream({ entity_type: 'order' }), 4), ['e1', 'e2', 'e3', 'e4'])
  assert.deepEqual(
    received.map(({ path, lastEventId }) => [path.split('/').at(-1), lastEventId]),
    [['events.list', null], ...['e0', 'e1', 'e1', 'e1', 'e3'].map((id) => ['events.stream', id])],
  )
  assert.ok(received.slice(1).every(({ input }) => input['entity_type'] === 'order'))
})

test('a stream begins where the input says, and ends after the time that it gives', async (t) => {
  const { swath, received } = connect(t, [() => streamOf([message('e8')], 'end')])
  assert.deepEqual(await take(swath.events.stream({ last_event_id: 'e7', max_seconds: 5 }), 9), ['e8'])
  assert.deepEqual(
    received.map(({ lastEventId }) => lastEventId),
    ['e7'],
  )
})

test('a refusal and the signal end a stream', async (t) => {
  const refused = connect(t, [() => Response.json({ type: '/problems/forbidden', status: 403 }, { status: 403 })])
  await assert.rejects(take(refused.swath.events.stream({}), 1), (error) => {
    assert.ok(error instanceof ApiProblem)
    return error.problem === 'forbidden'
  })
  const reason = new Error('enough')
  const caller = new AbortController()
  const { swath } = connect(t, [() => streamOf([message('e1')], 'break'), () => Promise.reject(caller.signal.reason as Error)]) // prettier-ignore
  const stream = swath.events.stream({}, { signal: caller.signal, onOpen: () => undefined })
  assert.equal((await stream.next()).value?.event_id, 'e1')
  caller.abort(reason)
  await assert.rejects(stream.next(), reason)
})

test('the lean client yields the events of one connection', async (t) => {
  const { fetch } = connect(t, [() => streamOf([message('e1')], 'end')])
  const client = createClient({ baseUrl: 'https://swath.example', token: null, fetch })
  assert.deepEqual(await take(client.events('events.stream'), 9), ['e1'])
})
