import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { dayOf, rowOf, type EgressSubject } from './egress.ts'
import { addEgress, type EgressRow } from './store.egress.ts'

/** Counts bytes as they are sent and writes them to the journal without delaying the response. */
export interface EgressMeter {
  /** Counts more bytes of a transfer; `ended` is true once per transfer, also for an aborted one. */
  note(organization: string, subject: EgressSubject, bytes: number, ended: boolean): void
  /** Resolves when all counted bytes are written, or writing failed. */
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
 * Sums sent bytes in memory and writes one statement per organization. What cannot be written stays in memory and is
 * retried with the next write; a killed process loses what it has not written yet.
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
      log.warn(
        { err: error, organization },
        'sent bytes could not be written to the egress journal; they are retried with the next write',
      )
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
      // Reset here and not later: bytes counted from now on must start a new write.
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
