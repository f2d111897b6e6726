interface Occurrence {
  readonly event_id: string
  readonly timestamp: string
}

/** An event this much older than the newest one was certainly seen by the reads of a page that opens. */
const opening_ms = 5000

/**
 * The events that the reads of the page may not have seen. Ids are compared, not positions: an event of a long transaction
 * appears below newer ones. In the first answer (`known` is null) the newest events count, which may have happened between
 * the first reads and this answer.
 */
export function findFreshEvents<Event extends Occurrence>(
  events: readonly Event[],
  known: ReadonlySet<string> | null,
): readonly Event[] {
  if (known) return events.filter(({ event_id }) => !known.has(event_id))
  const newest_ms = Math.max(...events.map(({ timestamp }) => Date.parse(timestamp)))
  return events.filter(({ timestamp }) => Date.parse(timestamp) > newest_ms - opening_ms)
}
