import { useMemberNames } from '../../api/use-member-names.ts'
import { useCommand } from '../../api/use-operation.ts'
import { usePayment } from '../../api/use-payment.ts'
import type { InboxEntry } from '../../inbox/inbox-entry.ts'
import { formatSum } from '../../payments/describe-effect.ts'
import { inboxTexts } from '../../texts/inbox.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits } from '../../ui/format.ts'
import { InboxCard } from './inbox-card.tsx'
import styles from './inbox.module.css'
import layout from '../../ui/layout.module.css'

const words = inboxTexts.approval

/** A top-up that a member has requested, which is approved or rejected here. */
export function ApprovalCard({ entry: { id, deadline, subject } }: { entry: InboxEntry<'approval'> }) {
  const nameOf = useMemberNames()
  const approve = usePayment('billing.approvals.approve', ['billing.approvals.list', 'billing.credits.balance', 'users.me']) // prettier-ignore
  const reject = useCommand('billing.approvals.reject', ['billing.approvals.list'])
  const { credits, requested_by, created_at } = subject
  const title = words.title(nameOf(requested_by), formatCredits(credits))
  const sum = formatSum(credits)
  const input = { approval_id: id }
  return (
    <InboxCard kind="approval" title={title} deadline={deadline}>
      <Facts
        facts={[
          [words.charge, <b key="sum">{sum}</b>],
          [words.asked, <Time key="asked" at={created_at} />],
        ]}
      />
      <div className={`${layout['facts']} ${styles['actions']}`}>
        <ConfirmButton
          label={words.approve(sum)}
          verb={words.approve(sum)}
          kind="primary"
          title={words.dialog}
          subject={title}
          text={words.text}
          cancel={words.keep}
          call={['billing.approvals.approve', input]}
          command={approve}
        />
        <ConfirmButton
          label={words.rejectNamed(title)}
          verb={words.reject}
          kind="danger"
          title={words.rejectTitle}
          subject={title}
          text={words.rejectText}
          cancel={words.keep}
          call={['billing.approvals.reject', input]}
          command={reject}
        />
      </div>
    </InboxCard>
  )
}
