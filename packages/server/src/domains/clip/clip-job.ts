import type { Call } from '../../engine/call.ts'
import { withMappedFieldErrors, Problem } from '../../engine/problem.ts'
import { jobNotFound, requireJob } from '../processing/access.ts'
import type { JobRow } from '../processing/store.ts'

/** A clip of items or of an area that the caller may read. Throws `not-found`, also for jobs of other processes. */
export async function requireClipJob(call: Call, id: string): Promise<JobRow> {
  const job = await requireJob(call, id, 'read').catch((error: unknown) => {
    // The clip resource has one answer for every job that the caller cannot see.
    throw error instanceof Problem && error.problem === 'not-a-member' ? jobNotFound(id) : error
  })
  if (job.process_id === 'clip' || job.clip_area !== null) return job
  throw jobNotFound(id)
}

/** Runs work whose validation errors name inputs of the process by the fields of a clip operation instead. */
export const withClipFieldNames = <T>(names: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> =>
  withMappedFieldErrors(work, ({ path, message }) => {
    const [first = '', ...rest] = path.split('.')
    return { path: [names[first] ?? first, ...rest].join('.'), message }
  })
