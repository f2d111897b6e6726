/** The time of the house, or that of one organization: a sandbox may have its own. Tests hold one that they move by hand. */
export interface Clock {
  now(organization?: string): Date
}

export const systemClock: Clock = { now: () => new Date() }

export interface ManualClock extends Clock {
  advance(milliseconds: number): void
}

/** A clock that stands still until it is moved. */
export function manualClock(start: Date): ManualClock {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds
    },
  }
}

let written = { time: Number.NaN, member: '' }

/** The present time as the member of a log line; lines of the same millisecond share the text. */
export function timeMember(): string {
  const time = Date.now()
  if (time !== written.time) written = { time, member: `,"time":"${new Date(time).toISOString()}"` }
  return written.member
}

/** Milliseconds that only ever grow, for measuring how long something took. */
export const monotonic_ms = (): number => performance.now()
