import type { Order } from '@swath/client/operations.ts'
import { usePayment } from '../../api/use-payment.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatAud, formatCredits } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'

/** A credit is an Australian cent. */
const describeCredits = (credits: number): string => `${formatCredits(credits)} (${formatAud(credits / 100)})`

/** Says what cancelling costs and returns before it happens. */
export function CancelDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { id, totalCredits, cancellation } = order
  const { fee_credits } = cancellation
  const cancel = usePayment('orders.cancel', ['orders.get', 'orders.list', 'billing.credits.balance', 'users.me'])
  const submit = (): void => cancel.mutate({ order_id: id, max_credits: fee_credits }, { onSuccess: onClose })
  const released_credits = totalCredits - fee_credits
  return (
    <Dialog
      title={texts.orders.cancelTitle}
      onClose={onClose}
      actions={
        <>
          <CopyCall operation="orders.cancel" input={{ order_id: id }} />
          <Button onClick={onClose}>{texts.orders.keep}</Button>
          <Button kind="danger" isPending={cancel.isPending} onClick={submit}>
            {texts.orders.cancel}
          </Button>
        </>
      }
    >
      <p>
        {fee_credits > 0 ? texts.orders.cancelCosts(describeCredits(fee_credits)) : texts.orders.cancelFree}{' '}
        {released_credits > 0
          ? texts.orders.cancelReleases(describeCredits(released_credits))
          : texts.orders.cancelNothing}
      </p>
      <p>{texts.orders.cancelEnds}</p>
      {cancel.error && <ProblemNote error={cancel.error} onRetry={submit} />}
    </Dialog>
  )
}
