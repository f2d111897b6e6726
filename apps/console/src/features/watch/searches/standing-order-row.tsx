import { CircleCheck, CirclePause, CircleX } from 'lucide-react'
import type { StandingOrder, StandingOrderScene } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { watchTexts } from '../../../texts/watch.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Credits, Time } from '../../../ui/figures.tsx'
import { formatCredits } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { DeleteButton } from '../delete-button.tsx'
import layout from '../../../ui/layout.module.css'
import { SceneDecision } from '../../../standing-orders/scene-decision.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import styles from '../watch.module.css'
import typography from '../../../ui/typography.module.css'

/** The scenes of a standing order that wait for a decision; nothing if there are none. */
function Proposals({ order: { id } }: { order: StandingOrder }) {
  const scenes = useOperation('orders.standing.scenes.list', { standing_order_id: id, status: 'proposed' })
  return (
    <QueryView query={scenes} rows={1}>
      {({ scenes: proposals }) =>
        proposals.length > 0 && (
          <>
            <h3>{watchTexts.proposals}</h3>
            <ul className={`${layout['stack8']} ${styles['proposals']}`}>
              {proposals.map((scene) => (
                <Proposal key={`${scene.source_id} ${scene.scene_id}`} orderId={id} scene={scene} />
              ))}
            </ul>
          </>
        )
      }
    </QueryView>
  )
}

function Proposal({ orderId, scene }: { orderId: string; scene: StandingOrderScene }) {
  const { source_id, scene_id, acquired_at, credits, reason } = scene
  return (
    <li className={layout['stack4']}>
      <strong className={typography['anywhere']}>{scene_id}</strong>
      <span>
        {source_id} · <Time at={acquired_at} /> · <Credits credits={credits ?? 0} />
      </span>
      {reason && <small className={typography['muted']}>{reason}</small>}
      <SceneDecision orderId={orderId} scene={scene} className={layout['wrap']!} />
    </li>
  )
}

const badges = {
  active: { icon: CircleCheck, tone: 'good' },
  paused: { icon: CirclePause, tone: 'neutral' },
  suspended: { icon: CircleX, tone: 'bad' },
} as const

/** The caps and the spending of a standing order, its state, and the scenes that wait for a decision. */
export function StandingOrderRow({ order }: { order: StandingOrder }) {
  const { name, mode, status, status_reason, capped_until, max_credits_per_scene } = order
  const words = watchTexts
  return (
    <Section title={words.standingOrder(name)} actions={<Badge {...badges[status]}>{words.states[status]}</Badge>}>
      <Facts
        facts={[
          [words.why, status_reason],
          [words.mode, words.modes[mode]],
          [words.sceneCap, formatCredits(max_credits_per_scene)],
          [words.used, words.ofCap(formatCredits(order.month_credits), formatCredits(order.max_credits_per_month))],
          [
            words.cappedUntil,
            capped_until && Date.parse(capped_until) > Date.now() && <Time key="until" at={capped_until} />,
          ],
        ]}
      />
      <Proposals order={order} />
      <StandingOrderActions order={order} />
    </Section>
  )
}

function StandingOrderActions({ order: { id, name, status } }: { order: StandingOrder }) {
  const update = useCommand('orders.standing.update', ['orders.standing.list'])
  const remove = useCommand('orders.standing.delete', ['orders.standing.list'])
  const words = watchTexts
  const isActive = status === 'active'
  const change = { standing_order_id: id, status: isActive ? 'paused' : 'active' } as const
  return (
    <>
      <div className={layout['wrap']}>
        <Button
          aria-label={isActive ? words.pauseNamed(name) : words.resumeNamed(name)}
          isPending={update.isPending}
          onClick={() => update.mutate(change)}
        >
          {isActive ? words.pause : words.resume}
        </Button>
        <CopyCall operation="orders.standing.update" input={change} />
        <DeleteButton
          name={name}
          title={words.removeOrder}
          text={words.removeOrderText}
          call={['orders.standing.delete', { standing_order_id: id }]}
          command={remove}
        />
      </div>
      {update.isError && <ProblemNote error={update.error} />}
    </>
  )
}
