import type { StandingOrder, StandingOrderScene } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { SceneDecision } from '../../../standing-orders/scene-decision.tsx'
import { texts } from '../../../texts.ts'
import { Credits, Time } from '../../../ui/figures.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import styles from '../watch.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

/** The scenes of a standing order that wait for a decision; nothing if there are none. */
export function Proposals({ order: { id } }: { order: StandingOrder }) {
  const scenes = useOperation('orders.standing.scenes.list', { standing_order_id: id, status: 'proposed' })
  return (
    <QueryView query={scenes} rows={1}>
      {({ scenes: proposals }) =>
        proposals.length > 0 && (
          <>
            <h3>{texts.watch.proposals}</h3>
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
