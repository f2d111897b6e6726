import { eventStreamLimiterServiceKey } from '../open-streams.ts'
import { limits } from '@swath/contract/limits.ts'
import { eventsStreamOperation } from '@swath/contract/operations/events.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createTextResponse, type TextResponse } from '../../../engine/operation-response.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { monotonic_ms } from '../../../platform/clock.ts'
import { isIdOlderThan, isUuid } from '../../../platform/ids.ts'
import { watchRevocation, revocationFeedServiceKey, type RevocationWatch } from '../../identity/revocation-feed.ts'
import { requireValidToken } from '../../identity/token-validity.ts'
import { getOrganizationRole } from '../../organizations/membership.ts'
import { visibleProjectsSql } from '../../projects/visibility.ts'
import { waitForOrganizationEvents, eventFeedServiceKey } from '../event-feed.ts'
import { toEventJson } from '../event-json.ts'
import { findLowestIdNumberedAfter, assignEventNumbers } from '../number-events.ts'
import { findEventNumber, listNumberedEvents, findLastEventNumber, type NumberedEventRow } from '../store.sequence.ts'
import { toEventVisibility } from '../visibility.ts'

/** A comment after this time without events keeps proxies from closing the connection. It also bounds how late a lost hint is. */
const heartbeat_ms = 15_000
const page_size = 500
const kept_ms = limits.event_days * 86_400_000

/**
 * Begins after the last event that the client has; without one, with the events from now on. Ends when the token of the caller
 * is revoked.
 */
export const handler = defineHandler(eventsStreamOperation, async (call, input) => {
  // Watched before it is checked once more: a token may be revoked while the call is on its way from its authentication.
  const verify = (): Promise<void> => requireValidToken(call)
  const revocation = watchRevocation(call.processServices.get(revocationFeedServiceKey), call.principal, verify)
  try {
    await verify()
    return await openStream(call, input, revocation)
  } catch (error) {
    revocation.stop()
    throw error
  }
})

async function openStream(call: Call, input: StreamInput, revocation: RevocationWatch): Promise<TextResponse> {
  const last_id = call.lastEventId ?? input.last_event_id ?? null
  await assignEventNumbers(call.db, call.organization)
  const after = last_id === null ? await startNow(call) : await resumeAfter(call, last_id)
  const closeStream = call.processServices.get(eventStreamLimiterServiceKey).open(call.organization)
  const close = (): void => {
    closeStream()
    revocation.stop()
  }
  // A client that disconnects before anything was read from the generator never runs its end.
  call.signal.addEventListener('abort', close, { once: true })
  if (call.signal.aborted) close()
  const signal = AbortSignal.any([
    call.signal,
    call.processServices.get(eventFeedServiceKey).closing,
    revocation.signal,
  ])
  return createTextResponse(closeAtEnd(produceEvents(call, input, after, signal), close), 'text/event-stream')
}

async function* closeAtEnd(messages: AsyncIterable<string>, close: () => void): AsyncGenerator<string> {
  try {
    yield* messages
  } finally {
    close()
  }
}

/** The last event that a client has: its number, and the lowest id of those after it; null if that is unknown. */
interface StreamPosition {
  readonly sequence: number
  readonly from: string | null
}

const startNow = async ({ db, organization }: Call): Promise<StreamPosition> => ({
  from: findLowestIdNumberedAfter(),
  sequence: await findLastEventNumber(db, organization),
})

async function resumeAfter({ db, organization }: Call, last_id: string): Promise<StreamPosition> {
  const sequence = isUuid(last_id) ? await findEventNumber(db, organization, last_id) : null
  if (sequence !== null) return { sequence, from: findLowestIdNumberedAfter(last_id) }
  // Its day was dropped: the stream continues with the oldest event that there is.
  if (isIdOlderThan(last_id, kept_ms)) return { sequence: 0, from: null }
  throw validationProblem([{ path: 'last_event_id', message: 'is not the id of an event of the organization' }])
}

interface StreamFilter {
  readonly event_type?: string | null
  readonly entity_type?: string | null
  readonly entity_id?: string | null
  readonly max_seconds: number
}

type StreamInput = StreamFilter & { readonly last_event_id?: string | null }

async function* produceEvents(
  call: Call,
  input: StreamFilter,
  start: StreamPosition,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { organization } = call
  const eventFeed = call.processServices.get(eventFeedServiceKey)
  // Clients connect again after this time, with a token that is valid then.
  const end_ms = monotonic_ms() + input.max_seconds * 1000
  let after = start
  yield 'retry: 2000\n\n'
  while (!signal.aborted && monotonic_ms() < end_ms) {
    // Subscribed before reading: an event in between is not missed.
    const woken = new AbortController()
    const wait_ms = Math.min(heartbeat_ms, end_ms - monotonic_ms())
    const nextEvents = waitForOrganizationEvents(
      eventFeed,
      organization,
      wait_ms,
      AbortSignal.any([signal, woken.signal]),
    )
    const rows = await readEvents(call, input, after)
    if (signal.aborted) return
    for (const row of rows) yield toMessage(row)
    const last = rows.at(-1)
    if (last) after = { sequence: last.sequence, from: findLowestIdNumberedAfter(last.id) }
    if (rows.length === page_size) woken.abort()
    await nextEvents
    // The last wait ends with the stream.
    if (rows.length === 0 && wait_ms === heartbeat_ms && !signal.aborted) yield ': still open\n\n'
  }
}

/** Access is read each time: a stream of a user who left a project shows no more of it. */
async function readEvents(call: Call, input: StreamFilter, after: StreamPosition): Promise<NumberedEventRow[]> {
  await assignEventNumbers(call.db, call.organization)
  return listNumberedEvents(call.db, {
    organization: call.organization,
    kind: input.event_type ?? null,
    entity_type: input.entity_type ?? null,
    entity_id: input.entity_id ?? null,
    after: after.sequence,
    from: after.from,
    limit: page_size,
    visibility: toEventVisibility(await visibleProjectsSql(call), await getOrganizationRole(call)),
  })
}

const toMessage = (row: NumberedEventRow): string =>
  `id: ${row.id}\nevent: ${row.kind}\ndata: ${JSON.stringify(toEventJson(row))}\n\n`
