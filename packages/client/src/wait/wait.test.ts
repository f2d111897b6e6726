import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../client.ts'
import type { Order } from '../operations.ts'
import { ApiProblem } from '../problem.ts'
import { followEntity } from './event-signal.ts'
import { WaitFailedError, WaitTimeoutError } from './wait-errors.ts'
import {
  isDecisionPending,
  waitForJob,
  waitForOrder,
  waitForUpload,
  type WaitedEntity,
  type WaitingOptions,
} from './wait.ts'

/** A client whose reads return these states, one after the other; the last one again and again. */
function createClient(states: readonly unknown[], events: () => AsyncIterable<unknown> = noEvents) {
  const reads: string[] = []
  const call = async (operation: string): Promise<unknown> => {
    const state = states[Math.min(reads.push(operation), states.length) - 1]
    if (state instanceof Error) throw state
    return state
  }
  return { client: { call, events } as unknown as Client, reads }
}

async function* noEvents(): AsyncGenerator<never> {}

const order = (status: string, more: object = {}): object => ({ status, subStatus: null, itemCount: 0, ...more })
const polls: number[] = []
const entities: WaitedEntity[] = []
/** Nothing waits: the times between reads are recorded. */
const fast: WaitingOptions<unknown> = {
  wait: () => Promise.resolve(),
  follow: async (_, entity) => {
    entities.push(entity)
    return { next: async (ms) => void polls.push(ms) }
  },
}

test('an order is read until it is fulfilled, and each change is told once', async () => {
  const states = ['CREATED', 'CREATED', 'PLACED', 'PLACED', 'FULFILLED'].map((status) => order(status))
  const { client, reads } = createClient(states)
  const seen: string[] = []
  const done = await waitForOrder(client, 'o', { ...fast, onChange: ({ status }) => void seen.push(status) })
  assert.equal(done.status, 'FULFILLED')
  assert.deepEqual(seen, ['CREATED', 'PLACED', 'FULFILLED'])
  assert.equal(reads.length, 5)
  assert.deepEqual(entities.at(-1), { entity_type: 'order', entity_id: 'o' })
})

test('reads are further and further apart while nothing changes, up to a bound', async () => {
  polls.length = 0
  const { client } = createClient([...Array<object>(12).fill(order('PLACED')), order('FULFILLED')])
  await waitForOrder(client, 'o', fast)
  assert.deepEqual(polls.slice(0, 4), [1000, 1500, 2250, 3375])
  assert.equal(polls.at(-1), 15_000)
})

test('what fails, is cancelled or expires throws its reason, or is returned if the caller wants it', async () => {
  const failed = order('FAILED_PERMANENTLY', { failureReason: { code: 'x', text: 'No such scene.' } })
  const caught = await waitForOrder(createClient([failed]).client, 'o', fast).catch((error: unknown) => error)
  assert.ok(caught instanceof WaitFailedError)
  assert.equal(caught.message, 'The order ended as FAILED_PERMANENTLY: No such scene.')
  assert.deepEqual([caught.kind, caught.reason, caught.state], ['order', 'No such scene.', failed])
  const jobs = createClient([{ job: { status: 'cancelled', progress: 0, failure: null } }])
  await assert.rejects(waitForJob(jobs.client, 'j', fast), { message: 'The job ended as cancelled', reason: null })
  const files = [{ reason: null }, { reason: 'Not an image.' }]
  const uploads = createClient([{ upload: { status: 'failed', bytes_uploaded: 1, error_message: null, files } }])
  await assert.rejects(waitForUpload(uploads.client, 'u', fast), { kind: 'upload', reason: 'Not an image.' })
  const kept = await waitForUpload(uploads.client, 'u', { ...fast, throwOnFailure: false })
  assert.equal(kept.status, 'failed')
})

test('a tasking order is returned when it needs a decision, if the caller asks for that', async () => {
  const states = [order('CREATED', { subStatus: 'QUOTATION_WAITING_UPLOAD' }), order('CREATED', { subStatus: 'QUOTATION_WAITING_RESPONSE' })] // prettier-ignore
  const waiting = await waitForOrder(createClient(states).client, 'o', { ...fast, until: isDecisionPending })
  assert.equal(waiting.subStatus, 'QUOTATION_WAITING_RESPONSE')
  assert.ok(!isDecisionPending({ status: 'PLACED', subStatus: 'SCHEDULED' } as Order))
})

test('a time limit throws the last state', async () => {
  const { client } = createClient([order('PLACED')])
  const caught = await waitForOrder(client, 'o', {
    timeout_ms: 20,
    follow: async (_, __, signal) => ({
      next: () => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    }),
  }).catch((error: unknown) => error)
  assert.ok(caught instanceof WaitTimeoutError)
  assert.deepEqual(caught.state, order('PLACED'))
  assert.match(caught.message, /did not end within 0\.02 s; it is PLACED/)
})

test('an abort throws its reason', async () => {
  const stop = new AbortController()
  const reason = new Error('enough')
  const { client } = createClient([order('PLACED')])
  const waiting = waitForOrder(client, 'o', { ...fast, signal: stop.signal, onChange: () => stop.abort(reason) })
  await assert.rejects(waiting, reason)
})

test('a read that fails for a moment is repeated; one that is refused is not', async () => {
  const broken = createClient([new TypeError('connection lost'), new ApiProblem(503, {}, null), order('FULFILLED')])
  await waitForOrder(broken.client, 'o', fast)
  assert.equal(broken.reads.length, 3)
  const refused = createClient([new ApiProblem(404, { type: '/problems/not-found' }, null)])
  await assert.rejects(waitForOrder(refused.client, 'o', fast), { problem: 'not-found' })
})

test('an event wakes before the time, also one that came while nobody waited', async () => {
  let emit = (): void => undefined
  const events = async function* (_: string, __: object, { onOpen }: { onOpen: () => void }) {
    onOpen()
    for (;;) {
      await new Promise<void>((resolve) => (emit = resolve))
      yield {}
    }
  }
  const stop = new AbortController()
  const client = { events } as unknown as Client
  const changes = await followEntity(client, { entity_type: 'order', entity_id: 'o' }, stop.signal)
  const waiting = changes.next(2 ** 30)
  emit()
  await waiting
  emit()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await changes.next(2 ** 30)
  stop.abort()
  await changes.next(2 ** 30)
})

test('a caller who may not read events is woken by the time', async () => {
  const refuse = (): Promise<never> =>
    Promise.reject(new ApiProblem(403, { type: '/problems/insufficient-scope' }, null))
  const events = (): AsyncIterable<never> => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) })
  const stop = new AbortController()
  const changes = await followEntity(
    { events } as unknown as Client,
    { entity_type: 'order', entity_id: 'o' },
    stop.signal,
  )
  await changes.next(1)
  stop.abort()
  assert.ok(stop.signal.aborted)
})
