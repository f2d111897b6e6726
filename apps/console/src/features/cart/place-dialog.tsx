import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { InputOf, OrderEstimate } from '@swath/client/operations.ts'
import { isProblem } from '../../api/problem.ts'
import { type CartLine, removeFromCart } from '../../cart/cart.ts'
import { keepView } from '../../map/keep-view.ts'
import { describeEffect, findMissingCredits } from '../../payments/describe-effect.ts'
import { LimitWarning } from '../../payments/limit-warning.tsx'
import { PaymentObstacle } from '../../payments/payment-obstacle.tsx'
import { TopUp } from '../../payments/top-up.tsx'
import { type Checkout, findExceededLimit } from '../../payments/use-checkout.ts'
import { useOperation } from '../../api/use-operation.ts'
import { usePayment } from '../../api/use-payment.ts'
import { cartTexts } from '../../texts/cart.ts'
import { uiTexts } from '../../texts/ui.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatAud, formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { type PriceLock, dropQuote, usePriceLock } from './use-price-lock.ts'
import typography from '../../ui/typography.module.css'
import { LockKeyhole } from 'lucide-react'
import { formatRemaining } from './kept-quote.ts'
import layout from '../../ui/layout.module.css'

/** Remaining time of the price lock; requests the next price when it ends. */
function LockCountdown({ expires_at, onEnd }: { expires_at: string; onEnd: () => void }) {
  const [now_ms, setNow] = useState(Date.now)
  const isOver = Date.parse(expires_at) <= now_ms
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (isOver) onEnd()
    // Only its end matters: `onEnd` is another function at each drawing.
  }, [isOver])
  return (
    <p className={`${layout['line']} ${typography['note']} ${typography['figures']}`}>
      <LockKeyhole size={14} aria-hidden="true" />
      {/* Read once by screen readers, not each second. */}
      <span role="timer">{cartTexts.locked(formatRemaining(expires_at, now_ms))}</span>
    </p>
  )
}

export interface PlaceDialogProps {
  readonly lines: readonly CartLine[]
  /** The captures whose price is locked. */
  readonly request: InputOf<'orders.quote'>
  /** The target collection and the licence. */
  readonly delivery: Pick<InputOf<'orders.archive.place'>, 'projectId' | 'licenseType'>
  /** The price that the cart has shown. */
  readonly estimate: OrderEstimate
  readonly checkout: Checkout
  /** Prices the cart again. */
  readonly onRefresh: () => void
  readonly onClose: () => void
}

type PricedLines = Pick<OrderEstimate, 'lines' | 'total_credits' | 'total_aud'>

/** The label of the button in the cart. */
export const describePurchase = ({ lines, total_credits, total_aud }: PricedLines): string =>
  total_credits === 0
    ? cartTexts.order(lines.length)
    : cartTexts.buy(lines.length, formatCredits(total_credits), formatAud(total_aud))

/** The last step before payment: obstacles are resolved here, and the order is placed. */
export function PlaceDialog({ lines, request, delivery, estimate, checkout, onRefresh, onClose }: PlaceDialogProps) {
  const navigate = useNavigate()
  const project = useProjectName(delivery.projectId ?? null)
  const lock = usePriceLock(request)
  const price = lock.quote ?? estimate
  const input = { ...delivery, quote_id: lock.quote?.quote_id ?? null }
  const place = usePayment('orders.archive.place', ['orders.list', 'billing.credits.balance', 'users.me'])
  useEffect(onRefresh, [onRefresh])
  const submit = (): void =>
    place.mutate(input, {
      onSuccess: ({ id }) => {
        dropQuote()
        void navigate({ to: '/orders/$orderId', params: { orderId: id }, search: keepView })
        for (const line of lines) removeFromCart(line)
      },
    })
  const missing_credits = findMissingCredits(checkout, place.error)
  // The person has confirmed the purchase already; otherwise the button appears.
  const wasRefused = isProblem(place.error, 'insufficient-credits')
  const limitFault = findExceededLimit(checkout.limits, price.total_credits)
  // Credits do not help against a limit.
  const isShort = missing_credits > 0 && !limitFault
  const isChallenged = isProblem(place.error, 'payment-action-required')
  return (
    <Dialog
      title={cartTexts.dialog}
      onClose={onClose}
      actions={
        <>
          <CopyCall operation="orders.archive.place" input={input} />
          <Button onClick={onClose}>{uiTexts.cancel}</Button>
          {!isShort && !isChallenged && (
            <Button kind="primary" onClick={submit} disabled={!lock.quote} isPending={place.isPending}>
              {describePurchase(price)}
            </Button>
          )}
        </>
      }
    >
      {limitFault ? (
        <LimitWarning fault={limitFault} limits={checkout.limits} />
      ) : (
        <p>
          {isShort
            ? cartTexts.shortHere(formatCredits(missing_credits))
            : describeEffect(checkout, price.total_credits)}
        </p>
      )}
      {/* A payment that has begun keeps its price. */}
      {!isChallenged && !place.isPending && <LockNote lock={lock} estimate={estimate} />}
      {project && <p className={typography['note']}>{cartTexts.into(project)}</p>}
      {isShort && <TopUp missing_credits={missing_credits} onDone={wasRefused ? submit : onRefresh} />}
      <PaymentObstacle
        error={place.error}
        isShort={isShort}
        isPending={place.isPending}
        onRetry={isQuoteOver(place.error) ? lock.renew : submit}
      />
      {!place.isPending && isProblem(place.error, 'spend-limit-exceeded') && (
        <p className={typography['note']}>{cartTexts.keptForLater}</p>
      )}
    </Dialog>
  )
}

/** The quote cannot be used any more; a new one can. */
const isQuoteOver = (error: unknown): boolean =>
  isProblem(error, 'quote-expired') || isProblem(error, 'invalid-state') || isProblem(error, 'not-found')

/** Whether the price is locked, for how long, and that it is another one than the cart has shown. */
function LockNote({ lock: { quote, error, renew }, estimate }: { lock: PriceLock; estimate: OrderEstimate }) {
  if (error) return <ProblemNote error={error} onRetry={renew} />
  if (!quote) return <p className={typography['note']}>{cartTexts.locking}</p>
  const [before, now] = [estimate.total_credits, quote.total_credits]
  return (
    <>
      {before !== now && <p role="status">{cartTexts.changed(formatCredits(before), formatCredits(now))}</p>}
      <LockCountdown expires_at={quote.expires_at} onEnd={renew} />
    </>
  )
}

/** The name of the project that the scenes are delivered into. */
function useProjectName(id: string | null): string | null {
  const projects = useOperation('projects.list', {})
  const open = projects.data?.projects.filter((project) => !project.is_archived) ?? []
  return (open.find((project) => project.id === id) ?? open[0])?.name ?? null
}
