import type { StandingOrderScene } from '@swath/client/operations.ts'
import { useCommand } from '../api/use-operation.ts'
import { watchTexts } from '../texts/watch.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { formatCredits } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem-note.tsx'

export interface SceneDecisionProps {
  readonly orderId: string
  readonly scene: StandingOrderScene
  /** Of the row of buttons. */
  readonly className: string | undefined
}

/** Orders a scene that a standing order proposes, or rejects it. */
export function SceneDecision({ orderId, scene: { source_id, scene_id, credits }, className }: SceneDecisionProps) {
  const decide = useCommand('orders.standing.decide', [
    'orders.standing.scenes.list',
    'orders.standing.list',
    'orders.list',
  ])
  const decision = { standing_order_id: orderId, source_id, scene_id }
  const words = watchTexts
  return (
    <>
      <div className={className}>
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
    </>
  )
}
