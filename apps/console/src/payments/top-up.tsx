import { useId, useRef, useState } from 'react'
import type { InputOf } from '@swath/client/operations.ts'
import { isProblem } from '../api/problem.ts'
import { useCommand, useOperation } from '../api/use-operation.ts'
import { usePayment } from '../api/use-payment.ts'
import { usePrincipal } from '../api/use-principal.ts'
import { paymentsTexts } from '../texts/payments.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { formatAud, formatCredits } from '../ui/format.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { CardChallenge } from './card-challenge.tsx'
import { CardChoice } from './card-choice.tsx'
import styles from './payments.module.css'
import layout from '../ui/layout.module.css'

/** The smallest charge that a card accepts. */
const min_credits = 50

export interface TopUpProps {
  /** The credits that the purchase lacks. */
  readonly missing_credits: number
  /** Called when the credits are there. */
  readonly onDone: () => void
  /** False if the surrounding element has the title. */
  readonly isTitled?: boolean
}

/** Buys the credits that are missing, or requests them from a member who may. */
export function TopUp({ missing_credits, onDone, isTitled = true }: TopUpProps) {
  const role = usePrincipal().data?.organization?.role
  const [amount, setAmount] = useState(String(Math.max(min_credits, missing_credits)))
  const credits = Number(amount)
  const isValid = Number.isInteger(credits) && credits >= min_credits
  const field = (
    <TextField
      label={paymentsTexts.amount}
      inputMode="numeric"
      value={amount}
      onChange={setAmount}
      help={isValid ? formatAud(credits / 100) : null}
      error={isValid ? null : paymentsTexts.minimum(formatCredits(min_credits))}
    />
  )
  const props = { credits, isValid, field, onDone, isTitled }
  return role === 'member' ? <ApprovalRequest {...props} /> : <CardTopUp {...props} />
}

interface FormProps {
  readonly credits: number
  readonly isValid: boolean
  readonly field: React.ReactNode
  readonly onDone: () => void
  readonly isTitled: boolean
}

function CardTopUp({ credits, isValid, field, onDone, isTitled }: FormProps) {
  const title = useId()
  const [card, setCard] = useState<string | null>(null)
  const cards = useOperation('payment_methods.list', {})
  const lacksCard = cards.data?.payment_methods.length === 0
  const topUp = usePayment('billing.topup', ['billing.credits.balance', 'billing.credits.transactions', 'users.me'])
  const attempted = useRef<InputOf<'billing.topup'> | null>(null)
  const pay = (): void => {
    if (!isValid || lacksCard) return
    attempted.current = { credits, payment_method_row_id: card }
    topUp.mutate(attempted.current, { onSuccess: onDone })
  }
  // The bank has confirmed the amount of that attempt, whatever the form says now.
  const proceed = (): void => {
    if (attempted.current) topUp.mutate(attempted.current, { onSuccess: onDone })
  }
  return (
    <div
      className={`${layout['box']} ${layout['stack12']} ${layout['narrow']} ${styles['form']}`}
      {...(isTitled ? { role: 'group', 'aria-labelledby': title } : {})}
    >
      {isTitled && <strong id={title}>{paymentsTexts.topUp}</strong>}
      {field}
      <CardChoice value={card} onChange={setCard} />
      {isProblem(topUp.error, 'payment-action-required') ? (
        <CardChallenge problem={topUp.error} onContinue={proceed} isPending={topUp.isPending} />
      ) : (
        <>
          {topUp.error && <ProblemNote error={topUp.error} onRetry={pay} />}
          <div className={layout['wrap']}>
            <Button kind="primary" isPending={topUp.isPending} disabled={!isValid || lacksCard} onClick={pay}>
              {paymentsTexts.charge(formatCredits(credits || 0), formatAud((credits || 0) / 100))}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

/** Members may not charge a card; a member with a billing role decides. */
function ApprovalRequest({ credits, isValid, field }: FormProps) {
  const title = useId()
  const request = useCommand('billing.approvals.request', ['billing.approvals.list'])
  if (request.data)
    return (
      <p role="status">
        {paymentsTexts.approvalRequested(formatCredits(request.data.credits), request.data.expires_at)}
      </p>
    )
  return (
    <div
      className={`${layout['box']} ${layout['stack12']} ${layout['narrow']} ${styles['form']}`}
      role="group"
      aria-labelledby={title}
    >
      <strong id={title}>{paymentsTexts.askApproval}</strong>
      <small>{paymentsTexts.whyApproval}</small>
      {field}
      {request.error && <ProblemNote error={request.error} />}
      <div className={layout['wrap']}>
        <Button isPending={request.isPending} onClick={() => isValid && request.mutate({ credits })}>
          {paymentsTexts.request}
        </Button>
      </div>
    </div>
  )
}
