import type { Job } from '@swath/contract/schemas/job.ts'
import type { Call } from '../../engine/call.ts'

/** The recovery data of a call that started a job: its representation as text, because JSON columns order members. */
export const toJobRecoveryData = (job: Job): Readonly<Record<string, unknown>> => ({ job: JSON.stringify(job) })

/**
 * The job that an earlier attempt of the same idempotent request has started, as it was then: it may have ended since, and the
 * response is the one that the first attempt would have given. Null if there is none.
 */
export function findJobOfIdempotencyClaim({ claim }: Pick<Call, 'claim'>): Job | null {
  const text = claim?.recoveryData['job']
  return typeof text === 'string' ? (JSON.parse(text) as Job) : null
}
