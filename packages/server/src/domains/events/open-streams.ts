import { defineService } from '../../engine/process-services.ts'
import { limits } from '@swath/contract/limits.ts'
import { Problem } from '../../engine/problem.ts'

/** The event streams that this process serves, counted by organization: each reads the database after every event. */
export interface OpenEventStreams {
  /** Counts a stream until the returned function is called, once or more. Throws `rate-limited` beyond the limit. */
  open(organization: string): () => void
}

export const eventStreamLimiterServiceKey = defineService<OpenEventStreams>('openStreams')

const retry_after_s = 10

export function createEventStreamLimiter(max: number = limits.max_event_streams): OpenEventStreams {
  const counts = new Map<string, number>()
  const add = (organization: string, change: 1 | -1): void => {
    const count = (counts.get(organization) ?? 0) + change
    if (count === 0) counts.delete(organization)
    else counts.set(organization, count)
  }
  return {
    open: (organization) => {
      if ((counts.get(organization) ?? 0) >= max)
        throw new Problem('rate-limited', `An organization may have at most ${max} event streams open.`, {
          retry_after_s,
        })
      add(organization, 1)
      let isOpen = true
      return () => {
        if (isOpen) add(organization, -1)
        isOpen = false
      }
    },
  }
}
