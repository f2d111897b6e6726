import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { dayOf, rowOf, type EgressSubject } from './egress.ts'
import { addEgress, type EgressRow } from './store.egress.ts'

/** Takes note of bytes as they leave, and writes them down without holding up what is sent. */
export interface EgressMeter {
  /** More bytes of a transfer have left; `ended` once for each transfer, also for one that was broken off. */
  note(organization: string, subject: EgressSubject, bytes: number, ended: boolean): void
  /** Resolves when everything that was noted is written, or could not be. */
  flush(): Promise<void>
}

interface Noted {
  readonly organization: string
  readonly row: EgressRow
}

const keyOf = ({ organization, row }: Noted): string =>
  [organization, row.day, row.subject_type, row.subject_id, row.share_link].join(' ')

const sum = (one: Noted, other: Noted): Noted => ({
  organization: one.organization,
  row: { ...one.row, bytes: one.row.bytes + other.row.bytes, transfers: one.row.transfers + other.row.transfers },
})

/**
 * Sums up in memory what leaves, and writes one statement an organization, one after the other. What cannot be written
 * stays noted and is tried again with what follows; a process that is killed loses what it noted in the last moment.
 */
export function openEgressMeter(parts: { database: Database; clock: OrganizationClocks; log: Logger }): EgressMeter {
  const { database, clock, log } = parts
  let noted = new Map<string, Noted>()
  let writing: Promise<void> | null = null

  const add = (one: Noted): void => {
    const key = keyOf(one)
    const known = noted.get(key)
    noted.set(key, known ? sum(known, one) : one)
  }
  const write = async (organization: string, rows: readonly EgressRow[]): Promise<void> => {
    try {
      await addEgress(database.of(organization), organization, rows, clock.of(organization).now())
    } catch (error) {
      log.warn({ err: error, organization }, 'what was sent could not be written down yet')
      for (const row of rows) add({ organization, row })
      throw error
    }
  }
  const writeAll = async (): Promise<void> => {
    try {
      while (noted.size > 0) {
        const all = noted
        noted = new Map()
        const byOrganization = Map.groupBy(all.values(), (one) => one.organization)
        const writes = [...byOrganization].map(([organization, ones]) =>
          write(
            organization,
            ones.map((one) => one.row),
          ),
        )
        if ((await Promise.allSettled(writes)).some(({ status }) => status === 'rejected')) return
      }
    } finally {
      // Here and not later: what is noted from now on has to begin a writing of its own.
      writing = null
    }
  }
  const flush = async (): Promise<void> => {
    if (noted.size > 0) writing ??= writeAll()
    await writing
  }
  return {
    note: (organization, subject, bytes, ended) => {
      if (bytes === 0 && !ended) return
      const day = dayOf(clock.of(organization).now())
      add({ organization, row: rowOf(subject, day, bytes, ended ? 1 : 0) })
      void flush()
    },
    flush,
  }
}
