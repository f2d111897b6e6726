import type { Actor } from '../../../engine/actor.ts'
import type { TaskContext } from '../../../engine/task.ts'
import { monotonic_ms, toProcessClockTime } from '../../../platform/clock.ts'
import { job_lease_ms, lease_renewal_interval_ms, cancellation_check_interval_ms } from './lease-times.ts'
import { max_job_time_limit_s } from './time-limit.ts'
import { isJobLeaseHeld, renewJobLease, type JobRow } from '../store.ts'

export interface JobLease {
  /** Aborted when the attempt has lost the job or its time is over, or the process stops. */
  readonly signal: AbortSignal
  /** True if the job was cancelled, or another worker has it. */
  isLost(): boolean
  /** True if the attempt ran longer than the job may. */
  isOverTime(): boolean
  end(): void
}

/**
 * Renews the lease of an attempt and records its progress while it works, and looks every second whether it still has the
 * job; ends it after the time that it may take. A failed statement is repeated the next time: the lease outlasts several.
 *
 * @param progress its first element is the finished part in thousandths.
 */
export function keepJobLease(
  context: Pick<TaskContext, 'database' | 'signal'>,
  { organization, clock }: Actor,
  job: JobRow,
  progress: Int32Array<SharedArrayBuffer>,
): JobLease {
  const db = context.database.forOrganization(organization)
  const lost = new AbortController()
  let renewed_ms = monotonic_ms()
  let isLooking = false
  const look = async (): Promise<void> => {
    const isDue = monotonic_ms() - renewed_ms >= lease_renewal_interval_ms
    const lease_until = toProcessClockTime(clock.process, job_lease_ms)
    const isHeld = isDue
      ? await renewJobLease(db, organization, job, { lease_until, progress: Atomics.load(progress, 0) / 1000 })
      : await isJobLeaseHeld(db, organization, job)
    if (isDue) renewed_ms = monotonic_ms()
    if (!isHeld) lost.abort()
  }
  const timer = setInterval(() => {
    if (isLooking || lost.signal.aborted) return
    isLooking = true
    void look()
      .catch(() => undefined)
      .finally(() => (isLooking = false))
  }, cancellation_check_interval_ms)
  timer.unref()
  const overTime = new AbortController()
  const limit = setTimeout(() => overTime.abort(), (job.plan.time_limit_s ?? max_job_time_limit_s) * 1000)
  limit.unref()
  return {
    signal: AbortSignal.any([context.signal, lost.signal, overTime.signal]),
    isLost: () => lost.signal.aborted,
    isOverTime: () => overTime.signal.aborted,
    end: () => {
      clearInterval(timer)
      clearTimeout(limit)
    },
  }
}
