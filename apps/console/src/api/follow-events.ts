import type { Client } from '@swath/client/client.ts'
import type { Event } from '@swath/client/operations.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { findFreshEvents } from './fresh-events.ts'
import { isProblem } from './problem.ts'

const page_size = 50
/**
 * Each new stream is requested with a valid token, so a page whose session has ended elsewhere notices after this time.
 */
const max_seconds = 15
/** Between the end of a stream and the next one. */
const reconnect_ms = 2000
/** The wait of a user who may not read events before the next attempt: the role may have changed. */
const forbidden_ms = 60_000

export interface EventListener {
  /** Events that the reads of the page may not have seen, the newest first; `isOpening` is true for those before the page was opened. */
  readonly onEvents: (events: readonly Event[], isOpening: boolean) => void
  /** Whether the platform answers. */
  readonly onAnswer: (isAnswering: boolean) => void
}

/** Position of a page in the events of its organization. */
export interface EventPosition {
  /** The last event that has arrived; null before the first one. */
  last_event_id: string | null
}

/**
 * Follows the events of the organization until the signal ends it. A stream that ends or breaks is continued after the last event
 * that has arrived, so that none is missed.
 *
 * @param position where to begin, which is moved; the same one continues after a pause.
 */
export async function followEvents(
  client: Pick<Client, 'call' | 'events'>,
  position: EventPosition,
  { onEvents, onAnswer }: EventListener,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let wait_ms = reconnect_ms
    try {
      if (position.last_event_id === null) {
        const { events } = await client.call('events.list', { limit: page_size }, { signal })
        onEvents(findFreshEvents(events), true)
        position.last_event_id = events[0]?.event_id ?? null
      }
      const { last_event_id } = position
      const input = { max_seconds, ...(last_event_id === null ? {} : { last_event_id }) }
      const stream = client.events<Event>('events.stream', input, { signal, onOpen: () => onAnswer(true) })
      for await (const event of stream) {
        position.last_event_id = event.event_id
        onEvents([event], false)
      }
      // The platform ends a stream now and then.
      wait_ms = 0
    } catch (error) {
      if (signal.aborted) return
      const isRefused = error instanceof ApiProblem && error.status < 500
      onAnswer(isRefused)
      // The event may have been deleted: what happened since is read anew.
      if (isProblem(error, 'validation')) position.last_event_id = null
      else if (isRefused) wait_ms = Math.max(forbidden_ms, (error.retryAfter_s ?? 0) * 1000)
    }
    if (wait_ms > 0) await sleep(wait_ms, signal)
  }
}

const sleep = (duration_ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, duration_ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
