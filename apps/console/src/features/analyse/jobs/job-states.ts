import { Ban, CircleCheck, CircleDashed, CircleX, Hourglass, Loader, type LucideIcon } from 'lucide-react'
import type { Job } from '@swath/client/operations.ts'
import type { Tone } from '../../../ui/badge.tsx'

type JobStatus = Job['status']

export const stateLooks: Readonly<Record<JobStatus, { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  pending: { icon: CircleDashed, tone: 'active' },
  dispatched: { icon: Hourglass, tone: 'active' },
  running: { icon: Loader, tone: 'active' },
  completed: { icon: CircleCheck, tone: 'good' },
  failed: { icon: CircleX, tone: 'bad' },
  cancelled: { icon: Ban, tone: 'neutral' },
}

export type JobGroup = 'open' | 'completed' | 'failed' | 'cancelled'

/** The groups of the filter, as in the URL. */
export const jobGroups: Readonly<Record<JobGroup, readonly JobStatus[]>> = {
  open: ['pending', 'dispatched', 'running'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
}

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean => jobGroups.open.includes(status)

/** Says whether a job has failed or was cancelled without a charge. */
export const hasEndedUncharged = ({ status, credits_captured }: Pick<Job, 'status' | 'credits_captured'>): boolean =>
  (status === 'failed' || status === 'cancelled') && credits_captured === 0
