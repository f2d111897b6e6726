import { CircleCheck, CirclePause, Hourglass } from 'lucide-react'
import type { AlertRule } from '@swath/client/operations.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { Badge } from '../../../ui/badge.tsx'

const words = alertsTexts.ruleStates

/** Whether a rule looks at new items, and whether the next one can trigger it. */
export function RuleBadge({ rule: { active, is_armed } }: { rule: AlertRule }) {
  if (!active) return <Badge icon={CirclePause} tone="neutral">{words.paused}</Badge> // prettier-ignore
  if (!is_armed) return <Badge icon={Hourglass} tone="warning">{words.resting}</Badge> // prettier-ignore
  return <Badge icon={CircleCheck} tone="good">{words.active}</Badge> // prettier-ignore
}
