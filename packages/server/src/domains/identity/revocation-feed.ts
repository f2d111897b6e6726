import { defineService } from '../../engine/process-services.ts'
import type { Principal } from '../../engine/call.ts'
import { signingKeysChangeSubject } from './principal-changes.ts'

/** Sends principals whose tokens must be verified again after a change by any process. */
export interface RevocationFeed {
  publish(subject: string): void
  /** The returned function ends the subscription. */
  subscribe(listener: (subject: string) => void): () => void
}

export const revocationFeedServiceKey = defineService<RevocationFeed>('revocations')

export function createRevocationFeed(): RevocationFeed {
  const listeners = new Set<(subject: string) => void>()
  return {
    publish: (subject) => listeners.forEach((listener) => listener(subject)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export interface RevocationWatch {
  readonly signal: AbortSignal
  readonly stop: () => void
}

/**
 * A signal that is aborted when the token of the caller is not valid any more: its session ended, its API key was
 * revoked, or its user or organization changed in such a way. `verify` reads that after each change and throws;
 * notifications of changes may come twice and late, also of those from before the token was issued. For responses that
 * last; `stop` must be called in the end.
 */
export function watchRevocation(
  feed: RevocationFeed,
  { token_subjects = [] }: Pick<Principal, 'token_subjects'>,
  verify: () => Promise<void>,
): RevocationWatch {
  const controller = new AbortController()
  const stop = feed.subscribe((subject) => {
    if (subject !== signingKeysChangeSubject && !token_subjects.includes(subject)) return
    // A token that cannot be verified counts as revoked: the client retries.
    verify().catch(() => controller.abort())
  })
  return { signal: controller.signal, stop }
}
