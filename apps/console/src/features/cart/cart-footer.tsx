import { RefreshCw, ShoppingCart } from 'lucide-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { OrderEstimate } from '@swath/client/operations.ts'
import { isForbidden } from '../../api/problem.ts'
import { cartTexts } from '../../texts/cart.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/figures.tsx'
import { describePurchase } from './place-dialog.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

interface CartFooterProps {
  readonly estimate: UseQueryResult<OrderEstimate>
  /** A scene cannot be ordered. */
  readonly hasErrors: boolean
  readonly onRefresh: () => void
  readonly onBuy: () => void
}

/** When the price was taken, and the one button, which says the sum. */
export function CartFooter({ estimate, hasErrors, onRefresh, onBuy }: CartFooterProps) {
  const { data, dataUpdatedAt, isFetching, isError, error } = estimate
  const needsAcceptance = data?.eulas.some(({ isAccepted }) => !isAccepted) ?? false
  const isReady = data !== undefined && !hasErrors && !needsAcceptance
  return (
    <div className={`${layout['footer']} ${layout['stack8']}`}>
      <p className={`${layout['sidesMiddle']} ${typography['note']}`}>
        <span>
          {dataUpdatedAt > 0 && (
            <>
              {cartTexts.priceOf} <Time at={new Date(dataUpdatedAt).toISOString()} />.{' '}
            </>
          )}
          {cartTexts.lockedLater}
        </span>
        {!isForbidden(error) && (
          <Button kind="quiet" icon={RefreshCw} isPending={isFetching} onClick={onRefresh}>
            {cartTexts.refresh}
          </Button>
        )}
      </p>
      {hasErrors && <p className={typography['note']}>{cartTexts.fixLines}</p>}
      {needsAcceptance && <p className={typography['note']}>{cartTexts.acceptFirst}</p>}
      <Button
        kind="primary"
        aria-haspopup="dialog"
        icon={ShoppingCart}
        disabled={!isReady}
        isPending={!data && isFetching}
        onClick={() => isReady && onBuy()}
      >
        {data ? describePurchase(data) : isError ? cartTexts.noPrice : cartTexts.pricing}
      </Button>
    </div>
  )
}
