declare const ofOrganization: unique symbol

/**
 * A time on the clock of an organization, with which the rows of a tenant are written and compared. Only the clock of an
 * organization creates one, so a store that requires it cannot receive the process time by mistake.
 */
export type OrganizationTime = Date & { readonly [ofOrganization]: true }

/** The time of this process: for what belongs to no organization, such as expiry of signed URLs and user sessions. */
export interface Clock {
  now(): Date
}

/** The time of one organization; a sandbox may have moved it. */
export interface OrganizationClock {
  readonly organization: string
  now(): OrganizationTime
  /** The check `tidy` allows it only for what expires by process time, such as signed URLs. */
  readonly process: Clock
}

/** The current time of every organization at one moment, for statements that look for due rows of all organizations. */
export interface OrganizationTimes {
  /** The time of every organization that is not in `byOrganization`. */
  readonly usual: Date
  /** By organization id, for those whose clock was moved. */
  readonly own: ReadonlyMap<string, OrganizationTime>
}

/** The clocks of all organizations and of the process. */
export interface OrganizationClocks {
  of(organization: string): OrganizationClock
  times(): OrganizationTimes
  /** The check `tidy` allows it only for what belongs to no organization. */
  readonly process: Clock
}

/** A time some milliseconds later on the same clock, or earlier if negative. */
export const shiftTime = (time: OrganizationTime, milliseconds: number): OrganizationTime =>
  new Date(time.getTime() + milliseconds) as OrganizationTime

/** Shifts the time of every organization. */
export const shiftTimes = ({ usual, own }: OrganizationTimes, milliseconds: number): OrganizationTimes => ({
  usual: new Date(usual.getTime() + milliseconds),
  own: new Map([...own].map(([organization, time]) => [organization, shiftTime(time, milliseconds)])),
})

/**
 * The clocks of organizations on top of a process clock.
 *
 * @param offsets_ms how far the clock of each organization is ahead of it, by id; read at every call.
 */
export function openClocks(process: Clock, moved: ReadonlyMap<string, number> = new Map()): Clock & OrganizationClocks {
  const nowOf = (organization: string): OrganizationTime =>
    new Date(process.now().getTime() + (moved.get(organization) ?? 0)) as OrganizationTime
  return {
    now: () => process.now(),
    process,
    of: (organization) => ({ organization, process, now: () => nowOf(organization) }),
    times: () => ({
      usual: process.now(),
      own: new Map([...moved.keys()].map((organization) => [organization, nowOf(organization)])),
    }),
  }
}

export const systemClock: Clock & OrganizationClocks = openClocks({ now: () => new Date() })

export interface ManualClock extends Clock, OrganizationClocks {
  /** Moves the clock of one organization, or without an id that of the process and so all of them. */
  advance(milliseconds: number, organization?: string): void
}

/** A clock that stands still until it is advanced, for tests. */
export function manualClock(start: Date): ManualClock {
  let time = start.getTime()
  const moved = new Map<string, number>()
  return {
    ...openClocks({ now: () => new Date(time) }, moved),
    advance: (milliseconds, organization) => {
      if (organization === undefined) time += milliseconds
      else moved.set(organization, (moved.get(organization) ?? 0) + milliseconds)
    },
  }
}

let written = { time: Number.NaN, member: '' }

/** The current time as a JSON member of a log line; lines of the same millisecond share the text. */
export function timeMember(): string {
  const time = Date.now()
  if (time !== written.time) written = { time, member: `,"time":"${new Date(time).toISOString()}"` }
  return written.member
}

/** Monotonic milliseconds, for measuring durations. */
export const monotonic_ms = (): number => performance.now()
