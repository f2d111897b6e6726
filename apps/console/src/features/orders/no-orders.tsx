import { Link } from '@tanstack/react-router'
import { ShoppingBag } from 'lucide-react'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Instead of a list without rows: how to get orders, or how to see those that the filters hide. */
export function NoOrders({ isFiltered: hasFilters, onReset }: { isFiltered: boolean; onReset: () => void }) {
  return (
    <EmptyState icon={ShoppingBag} title={hasFilters ? texts.orders.noMatch : texts.orders.none}>
      {hasFilters ? (
        <Button onClick={onReset}>{texts.orders.showAll}</Button>
      ) : (
        <>
          <p>{texts.orders.noneHelp}</p>
          <Link to="/explore" search={keepView}>
            {texts.orders.toExplore}
          </Link>
        </>
      )}
    </EmptyState>
  )
}
