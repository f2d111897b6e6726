import { Hourglass } from 'lucide-react'
import { useOrganizationNow } from '../../api/use-organization-now.ts'
import { inboxTexts } from '../../texts/inbox.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'

const words = inboxTexts.deadline
const [hour_ms, day_ms] = [3_600_000, 86_400_000]

interface TimeLeft {
  readonly text: string
  readonly tone: Tone
}

/** Remaining time for a decision, and its urgency. */
export function describeTimeLeft(deadline: string, now_ms: number): TimeLeft {
  const left_ms = Date.parse(deadline) - now_ms
  if (left_ms <= 0) return { text: words.over, tone: 'bad' }
  if (left_ms < hour_ms) return { text: words.soon, tone: 'bad' }
  if (left_ms < day_ms) return { text: words.hours(Math.floor(left_ms / hour_ms)), tone: 'warning' }
  return { text: words.days(Math.floor(left_ms / day_ms)), tone: 'neutral' }
}

/** The time that is left; nothing for an entry without a deadline. */
export function Deadline({ at }: { at: string | null }) {
  const now_ms = useOrganizationNow()
  if (at === null || now_ms === null) return null
  const { text, tone } = describeTimeLeft(at, now_ms)
  return (
    <Badge icon={Hourglass} tone={tone}>
      {text}
    </Badge>
  )
}
