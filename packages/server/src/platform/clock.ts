declare const organizationTimeBrand: unique symbol

/**
 * A time on the clock of an organization, with which the rows of a tenant are written and compared. Only the clock of an
 * organization creates one, so a store that requires it cannot receive the process time by mistake.
 */
export type OrganizationTime = Date & { readonly [organizationTimeBrand]: true }

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
  readonly processTime: Date
  /** By organization id, for those whose clock was moved. */
  readonly byOrganization: ReadonlyMap<string, OrganizationTime>
}

/** The clocks of all organizations and of the process. */
export interface OrganizationClocks {
  forOrganization(organization: string): OrganizationClock
  times(): OrganizationTimes
  /** The check `tidy` allows it only for what belongs to no organization. */
  readonly process: Clock
}

/** A time some milliseconds later on the same clock, or earlier if negative. */
export const shiftTime = (time: OrganizationTime, milliseconds: number): OrganizationTime =>
  new Date(time.getTime() + milliseconds) as OrganizationTime

/** Shifts the time of every organization. */
export const shiftTimes = (
  { processTime, byOrganization }: OrganizationTimes,
  milliseconds: number,
): OrganizationTimes => ({
  processTime: new Date(processTime.getTime() + milliseconds),
  byOrganization: new Map(
    [...byOrganization].map(([organization, time]) => [organization, shiftTime(time, milliseconds)]),
  ),
})

/**
 * The clocks of organizations on top of a process clock.
 *
 * @param offsets_ms how far the clock of each organization is ahead of it, by id; read at every call.
 */
export function createClocks(
  process: Clock,
  offsets_ms: ReadonlyMap<string, number> = new Map(),
): Clock & OrganizationClocks {
  const currentTimeOf = (organization: string): OrganizationTime =>
    new Date(process.now().getTime() + (offsets_ms.get(organization) ?? 0)) as OrganizationTime
  return {
    now: () => process.now(),
    process,
    forOrganization: (organization) => ({ organization, process, now: () => currentTimeOf(organization) }),
    times: () => ({
      processTime: process.now(),
      byOrganization: new Map(
        [...offsets_ms.keys()].map((organization) => [organization, currentTimeOf(organization)]),
      ),
    }),
  }
}

export const systemClock: Clock & OrganizationClocks = createClocks({ now: () => new Date() })

export interface ManualClock extends Clock, OrganizationClocks {
  /** Moves the clock of one organization, or without an id that of the process and so all of them. */
  advance(milliseconds: number, organization?: string): void
}

/** A clock that stands still until it is advanced, for tests. */
export function createManualClock(start: Date): ManualClock {
  let time = start.getTime()
  const offsets_ms = new Map<string, number>()
  return {
    ...createClocks({ now: () => new Date(time) }, offsets_ms),
    advance: (milliseconds, organization) => {
      if (organization === undefined) time += milliseconds
      else offsets_ms.set(organization, (offsets_ms.get(organization) ?? 0) + milliseconds)
    },
  }
}

let lastTimeMember = { time: Number.NaN, member: '' }

/** The current time as a JSON member of a log line; lines of the same millisecond share the text. */
export function jsonTimeMember(): string {
  const time = Date.now()
  if (time !== lastTimeMember.time) lastTimeMember = { time, member: `,"time":"${new Date(time).toISOString()}"` }
  return lastTimeMember.member
}

/** Monotonic milliseconds, for measuring durations. */
export const monotonic_ms = (): number => performance.now()
