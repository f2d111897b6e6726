import type { Job } from '@swath/client/operations.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { Badge } from '../../../ui/badge.tsx'
import { stateLooks } from './job-states.ts'

export function JobBadge({ job: { status } }: { job: Job }) {
  const { icon, tone } = stateLooks[status]
  return (
    <Badge icon={icon} tone={tone}>
      {analyseTexts.states[status]}
    </Badge>
  )
}
