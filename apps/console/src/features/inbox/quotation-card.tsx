import { useState } from 'react'
import { useCommand } from '../../api/use-operation.ts'
import type { InboxEntry } from '../../inbox/inbox-entry.ts'
import { formatSum } from '../../payments/describe-effect.ts'
import { PaymentDialog } from '../../payments/payment-dialog.tsx'
import { inboxTexts } from '../../texts/inbox.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { decidedReads } from './decided-reads.ts'
import { DecidedOrder } from './decided-order.tsx'
import { InboxCard } from './inbox-card.tsx'
import styles from './inbox.module.css'
import layout from '../../ui/layout.module.css'

const words = inboxTexts.quotation

/** A price for an order, which is accepted or rejected here. */
export function QuotationCard({ entry: { id, deadline, subject } }: { entry: InboxEntry<'quotation'> }) {
  const [isAccepting, setAccepting] = useState(false)
  const reject = useCommand('orders.tasking.quotation_decide', decidedReads)
  const price_credits = subject.creditsPrice ?? 0
  const sum = formatSum(price_credits)
  const rejection = { quotation_id: id, decision: 'REJECTED' } as const
  const close = (): void => setAccepting(false)
  return (
    <InboxCard kind="quotation" title={subject.displayName} deadline={deadline}>
      <Facts
        facts={[
          [words.price, <b key="price">{sum}</b>],
          [words.quoted, <Time key="quoted" at={subject.createdAt} />],
        ]}
      />
      <DecidedOrder orderId={subject.orderId} />
      <div className={`${layout['facts']} ${styles['actions']}`}>
        <Button kind="primary" aria-haspopup="dialog" onClick={() => setAccepting(true)}>
          {words.accept(sum)}
        </Button>
        <ConfirmButton
          label={words.rejectNamed(subject.displayName)}
          verb={words.reject}
          kind="danger"
          title={words.rejectTitle}
          subject={subject.displayName}
          text={words.rejectText}
          cancel={words.keep}
          call={['orders.tasking.quotation_decide', rejection]}
          command={reject}
        />
      </div>
      {isAccepting && (
        <PaymentDialog
          title={words.dialog}
          operation="orders.tasking.quotation_decide"
          input={{ quotation_id: id, decision: 'ACCEPTED', max_credits: price_credits }}
          affected={decidedReads}
          price_credits={price_credits}
          verb={words.accept(sum)}
          onDone={close}
          onClose={close}
        >
          <p>
            <strong>{subject.displayName}</strong>
          </p>
          <p>{words.accepted}</p>
        </PaymentDialog>
      )}
    </InboxCard>
  )
}
