interface Occurrence {
  readonly event_id: string
  readonly timestamp: string
}

/** An event this much older than the newest one was certainly seen by the reads of a page that opens. */
const opening_ms = 5000

/**
 * The events that the reads of a page that opens may not have seen: the newest ones, which may have happened between the reads
 * and this answer.
 */
export function findFreshEvents<Event extends Occurrence>(events: readonly Event[]): readonly Event[] {
  const newest_ms = Math.max(...events.map(({ timestamp }) => Date.parse(timestamp)))
  return events.filter(({ timestamp }) => Date.parse(timestamp) > newest_ms - opening_ms)
}
