import { isSandboxId } from './ids.ts'

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

declare const processTimeBrand: unique symbol

/**
 * A time of the process with which leases are written and compared: they last as long as work in a process, while the clock of a
 * sandbox stands still or jumps. Only `toProcessClockTime` creates one, so a lease cannot be counted on the clock of an organization.
 */
export type ProcessClockTime = Date & { readonly [processTimeBrand]: true }

/** The time of the process clock, some milliseconds later; the compiler refuses the clock of an organization. */
export const toProcessClockTime = (
  process: Clock & { readonly organization?: undefined },
  later_ms = 0,
): ProcessClockTime => new Date(process.now().getTime() + later_ms) as ProcessClockTime

/** The time of one organization; a sandbox may have moved it. */
export interface OrganizationClock {
  readonly organization: string
  now(): OrganizationTime
  /** The check `tidy` allows it only for what expires by process time, such as signed URLs. */
  readonly process: Clock
}

/**
 * The current time of organizations at one moment, for statements that look for due rows: of one organization, or of all
 * except sandboxes, whose time stands still until it is advanced.
 */
export interface OrganizationCurrentTimes {
  /** Null: all organizations but sandboxes. */
  readonly organization: string | null
  /** The time of every organization that is not in `byOrganization`. */
  readonly processTime: Date
  /** Times by organization id, of those whose clock was moved. */
  readonly byOrganization: ReadonlyMap<string, OrganizationTime>
}

/** The clocks of all organizations and of the process. */
export interface OrganizationClocks {
  forOrganization(organization: string): OrganizationClock
  /** The times of all organizations but sandboxes. */
  times(): OrganizationCurrentTimes
  /** The time of one organization, which may be a sandbox. */
  timesOf(organization: string): OrganizationCurrentTimes
  /** Sets the time of a sandbox organization as it was read from the database; an earlier one than before is ignored. */
  setSandboxTime(organization: string, time: Date): void
  /** True if that was done in this process. */
  hasSandboxTime(organization: string): boolean
  /** The check `tidy` allows it only for what belongs to no organization. */
  readonly process: Clock
}

/** A time some milliseconds later on the same clock, or earlier if negative. */
export const shiftTime = (time: OrganizationTime, milliseconds: number): OrganizationTime =>
  new Date(time.getTime() + milliseconds) as OrganizationTime

/** One time, for rows of one organization. */
export const toOrganizationCurrentTimes = (organization: string, time: OrganizationTime): OrganizationCurrentTimes => ({
  organization,
  processTime: time,
  byOrganization: new Map([[organization, time]]),
})

/** Shifts the time of every organization. */
export const shiftOrganizationTimes = (
  { organization, processTime, byOrganization }: OrganizationCurrentTimes,
  milliseconds: number,
): OrganizationCurrentTimes => ({
  organization,
  processTime: new Date(processTime.getTime() + milliseconds),
  byOrganization: new Map(
    [...byOrganization].map(([organization, time]) => [organization, shiftTime(time, milliseconds)]),
  ),
})

/**
 * The clocks of organizations on top of a process clock. That of a sandbox organization stands at the time that the
 * database has for it (`openSandboxTimes`); asking for it before it was read is an internal error.
 *
 * @param offsets_ms how far the clock of each organization is ahead of it, by id; read at every call.
 */
export function createOrganizationClocks(
  process: Clock,
  offsets_ms: ReadonlyMap<string, number> = new Map(),
): Clock & OrganizationClocks {
  const sandboxTimes_ms = new Map<string, number>()
  const currentTimeOf = (organization: string): OrganizationTime =>
    new Date(
      isSandboxId(organization)
        ? requireSandboxTime(sandboxTimes_ms, organization)
        : process.now().getTime() + (offsets_ms.get(organization) ?? 0),
    ) as OrganizationTime
  return {
    now: () => process.now(),
    process,
    forOrganization: (organization) => ({ organization, process, now: () => currentTimeOf(organization) }),
    times: () => ({
      organization: null,
      processTime: process.now(),
      byOrganization: new Map(
        [...offsets_ms.keys()].map((organization) => [organization, currentTimeOf(organization)]),
      ),
    }),
    timesOf: (organization) => toOrganizationCurrentTimes(organization, currentTimeOf(organization)),
    hasSandboxTime: (organization) => sandboxTimes_ms.has(organization),
    setSandboxTime: (organization, time) =>
      void sandboxTimes_ms.set(organization, Math.max(sandboxTimes_ms.get(organization) ?? 0, time.getTime())),
  }
}

function requireSandboxTime(times_ms: ReadonlyMap<string, number>, organization: string): number {
  const time_ms = times_ms.get(organization)
  if (time_ms === undefined) throw new Error(`the time of the sandbox organization ${organization} has not been read`)
  return time_ms
}

/** The system clock with organization clocks of its own, for one application. */
export const createSystemClock = (): Clock & OrganizationClocks => createOrganizationClocks({ now: () => new Date() })

export const systemClock: Clock & OrganizationClocks = createSystemClock()

export interface ManualClock extends Clock, OrganizationClocks {
  /** Moves the clock of one organization, or without an id that of the process and so all of them. */
  advance(milliseconds: number, organization?: string): void
}

/** A clock that stands still until it is advanced, for tests. */
export function createManualClock(start: Date): ManualClock {
  let time = start.getTime()
  const offsets_ms = new Map<string, number>()
  return {
    ...createOrganizationClocks({ now: () => new Date(time) }, offsets_ms),
    advance: (milliseconds, organization) => {
      if (organization === undefined) time += milliseconds
      else offsets_ms.set(organization, (offsets_ms.get(organization) ?? 0) + milliseconds)
    },
  }
}

let lastTimeMember = { time: Number.NaN, member: '' }

/** The current time as a JSON member of a log line; lines of the same millisecond share the text. */
export function formatLogTimeMember(): string {
  const time = Date.now()
  if (time !== lastTimeMember.time) lastTimeMember = { time, member: `,"time":"${new Date(time).toISOString()}"` }
  return lastTimeMember.member
}

/** Monotonic milliseconds, for measuring durations. */
export const monotonic_ms = (): number => performance.now()
