import { Link } from '@tanstack/react-router'
import { Inbox as InboxIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { InboxEntry, InboxKind } from '../../inbox/inbox-entry.ts'
import { useInbox } from '../../inbox/use-inbox.ts'
import { keepView } from '../../map/keep-view.ts'
import { inboxTexts } from '../../texts/inbox.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { InboxScreen } from './inbox-screen.tsx'
import { AgreementCard, CreditsCard, ItemCard, WebhookCard } from './other-cards.tsx'
import { ProposalCard } from './proposal-card.tsx'
import { QuotationCard } from './quotation-card.tsx'
import { StudyCard } from './study-card.tsx'
import { WaitingOrders } from './waiting-orders.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = inboxTexts

/** The form that decides each kind of entry. */
const cards: { readonly [Kind in InboxKind]: ComponentType<{ entry: InboxEntry<Kind> }> } = {
  study: StudyCard,
  quotation: QuotationCard,
  proposal: ProposalCard,
  approval: ApprovalCard,
  agreement: AgreementCard,
  webhook: WebhookCard,
  credits: CreditsCard,
  item: ItemCard,
}

/** Everything that waits for a decision, the most urgent first, and decided in place. */
export function Inbox() {
  const { entries, isPending, failed } = useInbox()
  const [problem] = failed
  return (
    <InboxScreen actions={<CopyCall operation="orders.tasking.decisions.pending" input={{}} />}>
      {problem && (
        <>
          {entries.length > 0 && <p className={`${layout['flat']} ${typography['muted']}`}>{words.partly}</p>}
          <ProblemNote
            error={problem.error}
            onRetry={() => failed.forEach(({ refetch }) => void refetch())}
            retriesItself
          />
        </>
      )}
      {entries.length > 0 && (
        <p className={`${layout['flat']} ${typography['muted']}`} role="status">
          {words.waiting(entries.length)}
        </p>
      )}
      {entries.map((entry) => (
        <EntryCard key={`${entry.kind} ${entry.id}`} entry={entry} />
      ))}
      {entries.length === 0 && isPending && <Skeleton rows={3} height_px={120} />}
      {entries.length === 0 && !isPending && !problem && <NothingWaits />}
      <WaitingOrders />
    </InboxScreen>
  )
}

function EntryCard({ entry }: { entry: InboxEntry }) {
  const Card = cards[entry.kind] as ComponentType<{ entry: InboxEntry }>
  return <Card entry={entry} />
}

const NothingWaits = () => (
  <EmptyState icon={InboxIcon} title={words.none}>
    <p>{words.noneHelp}</p>
    <Link to="/tasking" search={keepView}>
      {words.toTasking}
    </Link>
  </EmptyState>
)
