import { CircleCheck, CirclePause, CircleX, Hourglass, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { EventSubscription } from '@swath/client/operations.ts'
import { webhooksTexts } from '../../../texts/webhooks.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'

type WebhookState = keyof typeof webhooksTexts.states

const looks: Readonly<Record<WebhookState, readonly [LucideIcon, Tone]>> = {
  active: [CircleCheck, 'good'],
  paused: [CirclePause, 'neutral'],
  failing: [TriangleAlert, 'warning'],
  held: [Hourglass, 'warning'],
  disabled: [CircleX, 'bad'],
}

type StateFields = Pick<EventSubscription, 'active' | 'disabled_reason' | 'failing_since' | 'held_until'>

/** The state of a subscription in one word: the most serious that applies. */
function webhookStateOf({ active, disabled_reason, failing_since, held_until }: StateFields): WebhookState {
  if (disabled_reason !== null) return 'disabled'
  if (!active) return 'paused'
  if (held_until !== null && Date.parse(held_until) > Date.now()) return 'held'
  return failing_since === null ? 'active' : 'failing'
}

export function WebhookState({ subscription }: { subscription: StateFields }) {
  const state = webhookStateOf(subscription)
  const [icon, tone] = looks[state]
  return (
    <Badge icon={icon} tone={tone}>
      {webhooksTexts.states[state]}
    </Badge>
  )
}
