import type { StandingOrder, StandingOrderScene } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Credits, Time } from '../../../ui/figures.tsx'
import { formatCredits } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import styles from '../watch.module.css'

/** The scenes of a standing order that wait for a decision; nothing if there are none. */
export function Proposals({ order: { id } }: { order: StandingOrder }) {
  const scenes = useOperation('orders.standing.scenes.list', { standing_order_id: id, status: 'proposed' })
  return (
    <QueryView query={scenes} rows={1}>
      {({ scenes: proposals }) =>
        proposals.length > 0 && (
          <>
            <h3>{texts.watch.proposals}</h3>
            <ul className={styles['proposals']}>
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
  const decide = useCommand('orders.standing.decide', [
    'orders.standing.scenes.list',
    'orders.standing.list',
    'orders.list',
  ])
  const decision = { standing_order_id: orderId, source_id, scene_id }
  const words = texts.watch
  return (
    <li>
      <strong>{scene_id}</strong>
      <span>
        {source_id} · <Time at={acquired_at} /> · <Credits credits={credits ?? 0} />
      </span>
      {reason && <small className={styles['muted']}>{reason}</small>}
      <div className={styles['row']}>
        <ConfirmButton
          label={words.acceptNamed(scene_id)}
          verb={words.accept}
          kind="primary"
          title={words.acceptTitle}
          subject={scene_id}
          text={words.acceptText(formatCredits(credits ?? 0))}
          cancel={words.notNow}
          call={['orders.standing.decide', { ...decision, decision: 'ACCEPTED' }]}
          command={decide}
        />
        <Button
          aria-label={words.rejectNamed(scene_id)}
          onClick={() => decide.mutate({ ...decision, decision: 'REJECTED' })}
        >
          {words.reject}
        </Button>
      </div>
      {decide.isError && <ProblemNote error={decide.error} />}
    </li>
  )
}
