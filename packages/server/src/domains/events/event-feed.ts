import { defineService } from '../../engine/process-services.ts'
import type { RelayedChannel } from '../../platform/database/relay-channel.ts'

/** Sends the ids of organizations with new events. */
export const eventFeedServiceKey = defineService<Pick<RelayedChannel, 'subscribe' | 'closing'>>('eventFeed')

/** Resolves when the organization has new events, after `timeout_ms`, or when the signal is aborted. */
export function waitForOrganizationEvents(
  feed: Pick<RelayedChannel, 'subscribe'>,
  organization: string,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      unsubscribe()
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const unsubscribe = feed.subscribe((message) => {
      if (message === organization) end()
    })
    const timer = setTimeout(end, timeout_ms)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
