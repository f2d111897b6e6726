import type { ReactNode } from 'react'
import type { InputOf, OperationId, OutputOf, RequiredEula } from '@swath/client/operations.ts'
import { isProblem } from '../api/problem.ts'
import { usePayment } from '../api/use-payment.ts'
import { paymentsTexts } from '../texts/payments.ts'
import { uiTexts } from '../texts/ui.ts'
import { Button } from '../ui/button.tsx'
import { CopyCall } from '../ui/copy-call.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatCredits } from '../ui/format.ts'
import { OverlayBoundary } from '../ui/boundaries/overlay-boundary.tsx'
import { Agreements } from './agreements.tsx'
import { describeEffect, findMissingCredits } from './describe-effect.ts'
import { LimitWarning } from './limit-warning.tsx'
import { PaymentObstacle } from './payment-obstacle.tsx'
import { TopUp } from './top-up.tsx'
import { findExceededLimit, useCheckout } from './use-checkout.ts'

export interface PaymentDialogProps<Id extends OperationId> {
  readonly title: string
  /** The operation that costs money, or may. */
  readonly operation: Id
  readonly input: InputOf<Id>
  /** Reads whose outputs it changes. */
  readonly affected: readonly OperationId[]
  /** The credits that are paid now; 0 if nothing is. */
  readonly price_credits: number
  /** The label of the button, with the sum. */
  readonly verb: string
  readonly onDone: (output: OutputOf<Id>) => void
  readonly onClose: () => void
  /** The subject of the purchase, and its terms. */
  readonly children: ReactNode
}

/** The last step before payment: obstacles are resolved here. */
export const PaymentDialog = <Id extends OperationId>(props: PaymentDialogProps<Id>) => (
  <OverlayBoundary onClose={props.onClose}>
    <PaymentSteps {...props} />
  </OverlayBoundary>
)

function PaymentSteps<Id extends OperationId>(props: PaymentDialogProps<Id>) {
  const { title, operation, input, affected, price_credits, verb, onDone, onClose, children } = props
  const checkout = useCheckout(price_credits)
  const pay = usePayment(operation, [...affected, 'billing.credits.balance', 'users.me'])
  const submit = (): void => pay.mutate(input, { onSuccess: onDone })
  const missing_credits = checkout ? findMissingCredits(checkout, pay.error) : 0
  const fault = findExceededLimit(checkout?.limits ?? null, price_credits)
  // Credits do not help against a limit.
  const isShort = missing_credits > 0 && !fault
  const isChallenged = isProblem(pay.error, 'payment-action-required')
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <CopyCall operation={operation} input={input} />
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          {!isShort && !isChallenged && (
            <Button kind="primary" onClick={submit} disabled={!checkout} isPending={pay.isPending}>
              {verb}
            </Button>
          )}
        </>
      }
    >
      {children}
      {fault && <LimitWarning fault={fault} limits={checkout?.limits ?? null} />}
      {!fault && isShort && <p>{paymentsTexts.missing(formatCredits(missing_credits))}</p>}
      {!fault && !isShort && checkout && price_credits > 0 && <p>{describeEffect(checkout, price_credits)}</p>}
      {isShort && <TopUp missing_credits={missing_credits} onDone={submit} />}
      {isProblem(pay.error, 'eula-not-accepted') && !pay.isPending ? (
        <Agreements eulas={(pay.error.document['eulas'] ?? []) as readonly RequiredEula[]} />
      ) : (
        <PaymentObstacle error={pay.error} isShort={isShort} isPending={pay.isPending} onRetry={submit} />
      )}
    </Dialog>
  )
}
