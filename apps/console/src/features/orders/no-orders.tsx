import { Link } from '@tanstack/react-router'
import { ShoppingBag } from 'lucide-react'
import { keepView } from '../../map/keep-view.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Instead of a list without rows: how to get orders, or how to see those that the filters hide. */
export function NoOrders({ isFiltered: hasFilters, onReset }: { isFiltered: boolean; onReset: () => void }) {
  return (
    <EmptyState icon={ShoppingBag} title={hasFilters ? ordersTexts.noMatch : ordersTexts.none}>
      {hasFilters ? (
        <Button onClick={onReset}>{ordersTexts.showAll}</Button>
      ) : (
        <>
          <p>{ordersTexts.noneHelp}</p>
          <Link to="/explore" search={keepView}>
            {ordersTexts.toExplore}
          </Link>
        </>
      )}
    </EmptyState>
  )
}
