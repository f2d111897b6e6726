import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, Table2 } from 'lucide-react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { formatCount } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { isFiltered, parseOrderFilters, toListInput, type OrderFilters } from './order-filters.ts'
import { NoOrders } from './no-orders.tsx'
import { OrderFilterForm } from './order-filter-form.tsx'
import { OrderRow } from './order-row.tsx'
import styles from './orders.module.css'
import { useNames } from './use-names.ts'

/** The orders of the organization, newest first. */
export function Orders() {
  const navigate = useNavigate()
  const filters = parseOrderFilters(useSearch({ strict: false }))
  const input = toListInput(filters)
  const orders = useOperation('orders.list', input)
  const change = (next: OrderFilters): void => {
    void navigate({ to: '/orders', search: (previous: { v?: string }) => ({ ...keepView(previous), ...next }) })
  }
  return (
    <Screen
      title={texts.orders.title}
      actions={
        <>
          <CopyCall operation="orders.list" input={input} />
          <Link to="/orders/table" search={(previous: object) => previous} className={styles['switch']!}>
            <Table2 size={16} aria-hidden />
            {texts.orders.asTable}
          </Link>
        </>
      }
      toolbar={<OrderFilterForm filters={filters} onChange={change} />}
    >
      <QueryView query={orders} rows={6}>
        {(page) =>
          page.content.length === 0 ? (
            <NoOrders isFiltered={isFiltered(filters)} onReset={() => change({})} />
          ) : (
            <OrderPage page={page} onPage={(to) => change({ ...filters, page: to })} />
          )
        }
      </QueryView>
    </Screen>
  )
}

interface OrderPageProps {
  readonly page: OutputOf<'orders.list'>
  readonly onPage: (page: number) => void
}

function OrderPage({ page: { content, page, totalPages, totalElements, last }, onPage }: OrderPageProps) {
  const names = useNames()
  return (
    <>
      <p className={styles['count']} role="status">
        {texts.orders.count(formatCount(totalElements))}
      </p>
      <ul className={styles['list']}>
        {content.map((order) => (
          <li key={order.id}>
            <OrderRow order={order} names={names} />
          </li>
        ))}
      </ul>
      {totalPages > 1 && (
        <nav className={styles['pages']} aria-label={texts.orders.pages}>
          <Button icon={ChevronLeft} disabled={page === 0} onClick={() => page > 0 && onPage(page - 1)}>
            {texts.orders.newer}
          </Button>
          <span className="figures">{texts.orders.page(page + 1, totalPages)}</span>
          <Button icon={ChevronRight} disabled={last} onClick={() => !last && onPage(page + 1)}>
            {texts.orders.older}
          </Button>
        </nav>
      )}
    </>
  )
}
