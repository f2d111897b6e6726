import type { Job } from '@swath/client/operations.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { formatCredits } from '../../../ui/format.ts'
import { hasEndedUncharged, isOpen } from './job-states.ts'

type JobCredits = Pick<Job, 'status' | 'credits_captured' | 'credits_held'>

/** Describes the credits that are charged for a job, or would be: "free" only for a job whose price is zero. */
export function describeCredits(job: JobCredits): string {
  if (hasEndedUncharged(job)) return analyseTexts.notCharged
  const credits = isOpen(job) ? job.credits_held : job.credits_captured
  return credits === 0 ? analyseTexts.free : formatCredits(credits)
}
