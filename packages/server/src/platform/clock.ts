declare const ofOrganization: unique symbol

/**
 * A moment by the clock of an organization: what rows of a tenant are written and compared with. Only the clock of an organization
 * makes one, so stores that ask for it cannot be given the time of the process.
 */
export type OrganizationTime = Date & { readonly [ofOrganization]: true }

/** The time of this process: for what belongs to no organization, such as signatures of addresses and sessions of people. */
export interface Clock {
  now(): Date
}

/** The time of one organization; one that tests its integrations may have moved it. */
export interface OrganizationClock {
  readonly organization: string
  now(): OrganizationTime
  /** Confined by tidy to what is told by the time of the process, such as the end of a signed address. */
  readonly process: Clock
}

/** What time it is in every organization at one moment, for statements that look for what is due in any of them. */
export interface OrganizationTimes {
  /** In every organization that is not in `own`. */
  readonly usual: Date
  /** By id of the organization, for those whose clock stands apart. */
  readonly own: ReadonlyMap<string, OrganizationTime>
}

/** The clocks of all organizations, and that of the process. */
export interface OrganizationClocks {
  of(organization: string): OrganizationClock
  times(): OrganizationTimes
  /** Confined by tidy to what belongs to no organization. */
  readonly process: Clock
}

/** A moment so many milliseconds later, or earlier below zero, by the same clock. */
export const shiftTime = (time: OrganizationTime, milliseconds: number): OrganizationTime =>
  new Date(time.getTime() + milliseconds) as OrganizationTime

/** The same for every organization. */
export const shiftTimes = ({ usual, own }: OrganizationTimes, milliseconds: number): OrganizationTimes => ({
  usual: new Date(usual.getTime() + milliseconds),
  own: new Map([...own].map(([organization, time]) => [organization, shiftTime(time, milliseconds)])),
})

/**
 * The clocks of organizations over the time of a process.
 *
 * @param moved by how many milliseconds the clocks of organizations are ahead of it, by id; read at every call.
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
  /** Moves the clock of one organization, or without one the process's and so all. */
  advance(milliseconds: number, organization?: string): void
}

/** A clock that stands still until it is moved. */
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

/** The present time as the member of a log line; lines of the same millisecond share the text. */
export function timeMember(): string {
  const time = Date.now()
  if (time !== written.time) written = { time, member: `,"time":"${new Date(time).toISOString()}"` }
  return written.member
}

/** Milliseconds that only ever grow, for measuring how long something took. */
export const monotonic_ms = (): number => performance.now()
