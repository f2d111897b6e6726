import type { InboxEntry } from '../../inbox/inbox-entry.ts'
import { SceneDecision } from '../../standing-orders/scene-decision.tsx'
import { inboxTexts } from '../../texts/inbox.ts'
import { Facts } from '../../ui/facts.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { InboxCard } from './inbox-card.tsx'
import styles from './inbox.module.css'
import layout from '../../ui/layout.module.css'

const words = inboxTexts.proposal

/** A scene that a standing order found and that a person orders or rejects. */
export function ProposalCard({ entry: { deadline, subject } }: { entry: InboxEntry<'proposal'> }) {
  const { order, scene } = subject
  const { source_id, scene_id, acquired_at, credits, reason } = scene
  return (
    <InboxCard kind="proposal" title={words.title(order.name)} deadline={deadline}>
      <Facts
        facts={[
          [words.scene, scene_id],
          [words.provider, source_id],
          [words.acquired, <Time key="acquired" at={acquired_at} />],
          [words.price, <Credits key="price" credits={credits ?? 0} />],
        ]}
      />
      {reason && <p>{reason}</p>}
      <SceneDecision orderId={order.id} scene={scene} className={`${layout['facts']} ${styles['actions']}`} />
    </InboxCard>
  )
}
