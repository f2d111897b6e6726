import type { JobFailure } from '../end-job.ts'

/** A job may run so long, whatever its size, and longer for each million samples that it reads or writes. */
const base_s = 300
const per_megasample_s = 3
/** Less than a task may take. */
export const max_job_time_limit_s = 5 * 3600

/** Maximum number of samples that may be read and written within the longest time limit. */
export const max_samples_within_time_limit = ((max_job_time_limit_s - base_s) / per_megasample_s) * 1e6

/**
 * The time that an attempt may take: several times what the slowest process needs on a busy machine, so that only a job that does
 * not end, or reads from a host that hardly answers, reaches it.
 *
 * @param samples that are read and written.
 */
export const computeJobTimeLimit = (samples: number): number =>
  Math.min(max_job_time_limit_s, base_s + Math.ceil((samples / 1e6) * per_megasample_s))

/** The failure of a job that ran too long. */
export const timeLimitExceededFailure = (limit_s: number): JobFailure => ({
  code: 'time-limit',
  text: `The job ran longer than the ${formatMinutes(limit_s)} that its images may take. Clip them to a smaller area, name fewer items, or upload files that are hosted on a slow server first.`,
})

const formatMinutes = (limit_s: number): string => {
  const minutes = Math.ceil(limit_s / 60)
  return minutes === 1 ? 'minute' : `${minutes} minutes`
}
