import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { InputOf, OrderEstimate } from '@swath/client/operations.ts'
import { isProblem } from '../../api/problem.ts'
import { removeFromCart, type CartLine } from '../../cart/cart.ts'
import { keepView } from '../../map/keep-view.ts'
import { CardChallenge } from '../../payments/card-challenge.tsx'
import { TopUp } from '../../payments/top-up.tsx'
import { useOperation } from '../../api/use-operation.ts'
import { usePayment } from '../../api/use-payment.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatAud, formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import styles from './cart.module.css'
import { LimitWarning } from './limit-warning.tsx'
import { findExceededLimit, type Checkout } from './use-checkout.ts'

export interface PlaceDialogProps {
  readonly lines: readonly CartLine[]
  readonly input: InputOf<'orders.archive.place'>
  readonly estimate: OrderEstimate
  readonly checkout: Checkout
  /** Prices the cart again. */
  readonly onRefresh: () => void
  readonly onClose: () => void
}

/** What the button of the cart says. */
export const describePurchase = ({ lines, total_credits, total_aud }: OrderEstimate): string =>
  total_credits === 0
    ? texts.cart.order(lines.length)
    : texts.cart.buy(lines.length, formatCredits(total_credits), formatAud(total_aud))

/** The last step before money moves; what stands in its way is solved here, and the order is placed. */
export function PlaceDialog({ lines, input, estimate, checkout, onRefresh, onClose }: PlaceDialogProps) {
  const navigate = useNavigate()
  const project = useProjectName(input.projectId ?? null)
  const place = usePayment('orders.archive.place', ['orders.list', 'billing.credits.balance', 'users.me'])
  useEffect(onRefresh, [onRefresh])
  const submit = (): void =>
    place.mutate(input, {
      onSuccess: ({ id }) => {
        void navigate({ to: '/orders/$orderId', params: { orderId: id }, search: keepView })
        for (const line of lines) removeFromCart(line)
      },
    })
  const missing_credits = missingCredits(checkout, place.error)
  // The person has confirmed the purchase already; otherwise the button appears.
  const wasRefused = isProblem(place.error, 'insufficient-credits')
  const limitFault = findExceededLimit(checkout.limits, estimate.total_credits)
  // Credits do not help against a limit.
  const isShort = missing_credits > 0 && !limitFault
  const isChallenged = isProblem(place.error, 'payment-action-required')
  return (
    <Dialog
      title={texts.cart.dialog}
      onClose={onClose}
      actions={
        <>
          <CopyCall operation="orders.archive.place" input={input} />
          <Button onClick={onClose}>{texts.ui.cancel}</Button>
          {!isShort && !isChallenged && (
            <Button kind="primary" onClick={submit} isPending={place.isPending}>
              {describePurchase(estimate)}
            </Button>
          )}
        </>
      }
    >
      {limitFault ? (
        <LimitWarning fault={limitFault} limits={checkout.limits} />
      ) : (
        <p>{isShort ? texts.cart.short(formatCredits(missing_credits)) : describeEffect(checkout, estimate)}</p>
      )}
      {project && <p className={styles['help']}>{texts.cart.into(project)}</p>}
      {isShort && <TopUp missing_credits={missing_credits} onDone={wasRefused ? submit : onRefresh} />}
      <Obstacle error={place.error} isShort={isShort} isPending={place.isPending} onRetry={submit} />
    </Dialog>
  )
}

interface ObstacleProps {
  readonly error: unknown
  readonly isShort: boolean
  readonly isPending: boolean
  readonly onRetry: () => void
}

function Obstacle({ error, isShort, isPending, onRetry }: ObstacleProps) {
  if (!error || isPending) return null
  if (isProblem(error, 'payment-action-required'))
    return <CardChallenge problem={error} onContinue={onRetry} isPending={isPending} />
  // The top-up above is the way on.
  if (isShort && isProblem(error, 'insufficient-credits')) return null
  return (
    <>
      <ProblemNote error={error} onRetry={onRetry} />
      {isProblem(error, 'spend-limit-exceeded') && <p className={styles['help']}>{texts.cart.keptForLater}</p>}
    </>
  )
}

/** What the wallet lacks: as far as this page knows, or as the server has said. */
function missingCredits({ missing_credits, available_credits }: Checkout, error: unknown): number {
  if (missing_credits > 0 || !isProblem(error, 'insufficient-credits')) return missing_credits
  const required = Number(error.document['required_credits'] ?? 0)
  return Math.max(1, required - available_credits)
}

function describeEffect({ mode, available_credits }: Checkout, { total_credits, total_aud }: OrderEstimate): string {
  const sum = `${formatCredits(total_credits)} (${formatAud(total_aud)})`
  if (total_credits === 0) return texts.cart.confirmFree
  if (mode === 'enterprise') return texts.cart.confirmEnterprise(sum)
  if (mode === 'card') return texts.cart.confirmCard(sum)
  return texts.cart.confirm(sum, formatCredits(Math.max(0, available_credits - total_credits)))
}

/** The name of the project that the scenes are delivered into. */
function useProjectName(id: string | null): string | null {
  const projects = useOperation('projects.list', {})
  const open = projects.data?.projects.filter((project) => !project.is_archived) ?? []
  return (open.find((project) => project.id === id) ?? open[0])?.name ?? null
}
