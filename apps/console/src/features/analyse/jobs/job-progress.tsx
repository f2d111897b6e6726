import type { Job } from '@swath/client/operations.ts'
import { texts } from '../../../texts.ts'
import { formatPercent } from '../../../ui/format.ts'
import styles from '../analyse.module.css'
import { isOpen } from './job-states.ts'

/** Progress of a running job. */
export function JobProgress({ job }: { job: Job }) {
  if (!isOpen(job)) return null
  const percent = Math.round(job.progress * 100)
  return (
    <span className={styles['progress']}>
      <progress max={100} value={percent} aria-label={texts.analyse.progress} />
      <span className="figures" aria-hidden>
        {formatPercent(percent)}
      </span>
    </span>
  )
}
