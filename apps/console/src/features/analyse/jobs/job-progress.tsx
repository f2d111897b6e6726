import type { Job } from '@swath/client/operations.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { formatPercent } from '../../../ui/format.ts'
import { isOpen } from './job-states.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

/** Progress of a running job. */
export function JobProgress({ job }: { job: Job }) {
  if (!isOpen(job)) return null
  const percent = Math.round(job.progress * 100)
  return (
    <span className={`${layout['sidesMiddle']} ${layout['wide']}`}>
      <progress max={100} value={percent} aria-label={analyseTexts.progress} />
      <span className={`${typography['note']} figures`} aria-hidden>
        {formatPercent(percent)}
      </span>
    </span>
  )
}
