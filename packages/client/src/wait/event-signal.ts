import type { Client } from '../client.ts'
import { sleep } from '../sleep.ts'

/** Tells that something may have changed. */
export interface ChangeSignal {
  /** Resolves at the next event, or after the time. */
  next(timeout_ms: number): Promise<void>
}

/** A stream that ends is opened again after this time. */
const reconnect_ms = 2000
/** A platform that does not open the stream within this time is polled alone, until it does. */
const open_timeout_ms = 5000

/**
 * Follows the events of one entity, until the signal is aborted. Resolves when the stream is open, so that a state which is read
 * afterwards misses none; or when it cannot be opened, such as without the scope for it: then only the time wakes.
 */
export async function followEntity(
  client: Pick<Client, 'events'>,
  entity: { readonly entity_type: string; readonly entity_id: string },
  signal: AbortSignal,
): Promise<ChangeSignal> {
  let wake = (): void => undefined
  // An event that comes while nobody waits.
  let isChanged = false
  const onEvent = (): void => {
    isChanged = true
    wake()
  }
  await new Promise<void>((resolve) => {
    void readEvents(client, entity, { signal, onOpen: resolve, onEvent }).finally(resolve)
    sleep(open_timeout_ms, signal).then(resolve, resolve)
  })
  return {
    next: async (timeout_ms) => {
      if (!isChanged) await wakeAfter(timeout_ms, signal, (onWake) => (wake = onWake))
      isChanged = false
    },
  }
}

async function wakeAfter(
  timeout_ms: number,
  signal: AbortSignal,
  subscribe: (onWake: () => void) => void,
): Promise<void> {
  const stop = new AbortController()
  subscribe(() => stop.abort())
  await sleep(timeout_ms, AbortSignal.any([signal, stop.signal])).catch(() => undefined)
  stop.abort()
}

interface EventListener {
  readonly signal: AbortSignal
  readonly onOpen: () => void
  readonly onEvent: () => void
}

/** Ends with the signal, or with a refusal: whoever may not read events polls. */
async function readEvents(
  client: Pick<Client, 'events'>,
  entity: object,
  { signal, onOpen, onEvent }: EventListener,
): Promise<void> {
  try {
    while (!signal.aborted) {
      for await (const _ of client.events('events.stream', entity, { signal, onOpen })) onEvent()
      await sleep(reconnect_ms, signal)
      // What happened between two streams.
      onEvent()
    }
  } catch {
    // Polling goes on.
  }
}
