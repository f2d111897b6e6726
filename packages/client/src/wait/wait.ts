import type { Client } from '../client.ts'
import type { Job, Order, Upload } from '../operations.ts'
import { retry, type Wait } from '../transfer/retry.ts'
import { max_timer_ms } from '../transport.ts'
import { followEntity, type ChangeSignal } from './event-signal.ts'
import { decisionStates, terminalStates } from './terminal-states.ts'
import { WaitFailedError, WaitTimeoutError, type WaitKind } from './wait-errors.ts'

export interface WaitingOptions<State> {
  /** Called with the first state, and with each one that differs from the one before. */
  readonly onChange?: (state: State) => void
  /** At most 24 days; default: without an end. After it `WaitTimeoutError` is thrown. */
  readonly timeout_ms?: number
  readonly signal?: AbortSignal
  /** False returns what ended without success, too, instead of throwing `WaitFailedError`. */
  readonly throwOnFailure?: boolean
  /** Stops waiting earlier, such as `isDecisionPending` for a tasking order. */
  readonly until?: (state: State) => boolean
  /** For tests: the times between reads. */
  readonly follow?: (client: Client, entity: WaitedEntity, signal: AbortSignal) => Promise<ChangeSignal>
  readonly wait?: Wait
}

/** An entity as its events name it. */
export interface WaitedEntity {
  readonly entity_type: string
  readonly entity_id: string
}

/** Reads are this far apart at first, and half as much further each time. */
const first_poll_ms = 1000
/** Events tell most changes; the others are read within this time. */
const max_poll_ms = 15_000
const poll_growth = 1.5

/** How the state of one kind is read and understood. */
interface Waiting<State> {
  readonly kind: WaitKind
  readonly read: (signal: AbortSignal) => Promise<State>
  readonly statusOf: (state: State) => string
  readonly reasonOf: (state: State) => string | null
  /** Changes when `onChange` should be called. */
  readonly versionOf: (state: State) => string
}

/** True if a tasking order waits for a decision of the customer, on a study or a quotation. */
export const isDecisionPending = ({ status, subStatus }: Pick<Order, 'status' | 'subStatus'>): boolean =>
  status === 'CREATED' && subStatus !== null && decisionStates.includes(subStatus)

/**
 * Waits until an order is fulfilled, and returns it. Throws `WaitFailedError` if it fails or is cancelled, `WaitTimeoutError`, and
 * the reason of the signal. A tasking order that needs a decision waits for it; `until: isDecisionPending` returns it then.
 */
export const waitForOrder = (client: Client, order_id: string, options: WaitingOptions<Order> = {}): Promise<Order> =>
  waitFor(client, { entity_type: 'order', entity_id: order_id }, options, {
    kind: 'order',
    read: (signal) => client.call('orders.get', { order_id }, { signal }),
    statusOf: ({ status }) => status,
    reasonOf: ({ failureReason }) => failureReason?.text ?? null,
    versionOf: ({ status, subStatus, itemCount }) => JSON.stringify([status, subStatus, itemCount]),
  })

/** Waits until a processing job is completed, and returns it. Throws like `waitForOrder`. */
export const waitForJob = (client: Client, job_id: string, options: WaitingOptions<Job> = {}): Promise<Job> =>
  waitFor(client, { entity_type: 'processing_job', entity_id: job_id }, options, {
    kind: 'job',
    read: async (signal) => (await client.call('processing.job.get', { job_id }, { signal })).job,
    statusOf: ({ status }) => status,
    reasonOf: ({ failure }) => failure?.text ?? null,
    versionOf: ({ status, progress }) => JSON.stringify([status, progress]),
  })

/** Waits until the files of an upload are items, and returns its session. Throws like `waitForOrder`. */
export const waitForUpload = (
  client: Client,
  upload_id: string,
  options: WaitingOptions<Upload> = {},
): Promise<Upload> =>
  waitFor(client, { entity_type: 'upload', entity_id: upload_id }, options, {
    kind: 'upload',
    read: async (signal) => (await client.call('uploads.get', { upload_id }, { signal })).upload,
    statusOf: ({ status }) => status,
    reasonOf: ({ error_message, files }) =>
      error_message ?? files.find(({ reason }) => reason !== null)?.reason ?? null,
    versionOf: ({ status, bytes_uploaded }) => JSON.stringify([status, bytes_uploaded]),
  })

async function waitFor<State>(
  client: Client,
  entity: WaitedEntity,
  options: WaitingOptions<State>,
  waiting: Waiting<State>,
): Promise<State> {
  const { follow = followEntity, timeout_ms } = options
  const stop = new AbortController()
  const timeout = new AbortController()
  // Not `AbortSignal.timeout`, which lets a program of Node end that waits for nothing else.
  const timer =
    timeout_ms === undefined ? undefined : setTimeout(() => timeout.abort(), Math.min(timeout_ms, max_timer_ms))
  const signal = AbortSignal.any([stop.signal, timeout.signal, ...(options.signal ? [options.signal] : [])])
  let last: { readonly state: State; readonly status: string } | null = null
  try {
    const changes = await follow(client, entity, signal)
    let version: string | null = null
    for (let poll_ms = first_poll_ms; ; poll_ms = Math.min(max_poll_ms, poll_ms * poll_growth)) {
      const state = await retry(() => waiting.read(signal), { signal, wait: options.wait })
      last = { state, status: waiting.statusOf(state) }
      const now = waiting.versionOf(state)
      if (now !== version) options.onChange?.(state)
      // What changes is read often.
      if (version !== null && now !== version) poll_ms = first_poll_ms
      version = now
      if (options.until?.(state) || isTerminal(waiting.kind, last.status)) return requireSuccess(last, options, waiting)
      await changes.next(poll_ms)
      signal.throwIfAborted()
    }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (timeout.signal.aborted) throw new WaitTimeoutError(waiting.kind, timeout_ms!, last)
    throw error
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
}

const isTerminal = (kind: WaitKind, status: string): boolean =>
  (terminalStates[kind].terminal as readonly string[]).includes(status)

function requireSuccess<State>(
  { state, status }: { readonly state: State; readonly status: string },
  { throwOnFailure = true }: WaitingOptions<State>,
  { kind, reasonOf }: Waiting<State>,
): State {
  if (!throwOnFailure || !isTerminal(kind, status) || status === terminalStates[kind].success) return state
  throw new WaitFailedError(kind, { state, status, reason: reasonOf(state) })
}

export { WaitFailedError, WaitTimeoutError, type WaitKind } from './wait-errors.ts'
