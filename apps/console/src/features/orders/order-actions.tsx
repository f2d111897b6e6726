import { useNavigate } from '@tanstack/react-router'
import { Ban, Download, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { Geometry, Order } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { addToCart } from '../../cart/cart.ts'
import { keepView } from '../../map/keep-view.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { OverlayBoundary } from '../../ui/boundaries/overlay-boundary.tsx'
import layout from '../../ui/layout.module.css'
import { usePayment } from '../../api/use-payment.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { formatAud, formatCredits } from '../../ui/format.ts'

/** A credit is an Australian cent. */
const describeCredits = (credits: number): string => `${formatCredits(credits)} (${formatAud(credits / 100)})`

/** Says what cancelling costs and returns before it happens. */
function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { id, totalCredits, cancellation } = order
  const { fee_credits } = cancellation
  const cancel = usePayment('orders.cancel', ['orders.get', 'orders.list', 'billing.credits.balance', 'users.me'])
  const submit = (): void => cancel.mutate({ order_id: id, max_credits: fee_credits }, { onSuccess: onClose })
  const released_credits = totalCredits - fee_credits
  return (
    <Dialog
      title={ordersTexts.cancelTitle}
      onClose={onClose}
      actions={
        <>
          <CopyCall operation="orders.cancel" input={{ order_id: id }} />
          <Button onClick={onClose}>{ordersTexts.keep}</Button>
          <Button kind="danger" isPending={cancel.isPending} onClick={submit}>
            {ordersTexts.cancel}
          </Button>
        </>
      }
    >
      <p>
        {fee_credits > 0 ? ordersTexts.cancelCosts(describeCredits(fee_credits)) : ordersTexts.cancelFree}{' '}
        {released_credits > 0
          ? ordersTexts.cancelReleases(describeCredits(released_credits))
          : ordersTexts.cancelNothing}
      </p>
      <p>{ordersTexts.cancelEnds}</p>
      {cancel.error && <ProblemNote error={cancel.error} onRetry={submit} />}
    </Dialog>
  )
}

/** Download, order again, cancel: the actions that the state of the order permits. */
export function OrderActions({ order }: { order: Order }) {
  const navigate = useNavigate()
  const download = useCommand('orders.download')
  const [isCanceling, setCanceling] = useState(false)
  const orderAgain = (): void => {
    for (const { id, host, datetime, geometry } of order.captures) {
      const area = (geometry ?? null) as Geometry | null
      addToCart({ host_name: host, id, datetime, footprint: area, area })
    }
    void navigate({ to: '/cart', search: keepView })
  }
  const start = (): void => download.mutate({ order_id: order.id }, { onSuccess: ({ url }) => location.assign(url) })
  return (
    <div className={`${layout['wrap']} ${layout['inset']} ${layout['lineBelow']}`}>
      {order.itemCount > 0 && (
        <Button icon={Download} title={ordersTexts.downloadFiles} isPending={download.isPending} onClick={start}>
          {ordersTexts.download}
        </Button>
      )}
      {order.itemCount > 0 && <CopyCall operation="orders.download" input={{ order_id: order.id }} />}
      {order.captures.length > 0 && (
        <Button icon={RotateCcw} onClick={orderAgain}>
          {ordersTexts.again}
        </Button>
      )}
      {order.cancellation.is_cancellable && (
        <Button kind="danger" icon={Ban} aria-haspopup="dialog" onClick={() => setCanceling(true)}>
          {ordersTexts.cancel}
        </Button>
      )}
      {download.error && <ProblemNote error={download.error} onRetry={start} isRead />}
      {isCanceling && (
        <OverlayBoundary onClose={() => setCanceling(false)}>
          <CancelDialog order={order} onClose={() => setCanceling(false)} />
        </OverlayBoundary>
      )}
    </div>
  )
}
