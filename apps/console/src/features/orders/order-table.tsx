import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, List } from 'lucide-react'
import type { Order, OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Credits, Time } from '../../ui/figures.tsx'
import { formatCount } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { NoOrders } from './no-orders.tsx'
import { OrderBadge } from './order-badge.tsx'
import { OrderFilterForm } from './order-filter-form.tsx'
import { isFiltered, parseOrderFilters, toListInput, type OrderFilters } from './order-filters.ts'
import { describeMissingPrice } from './order-states.ts'
import styles from './orders.module.css'
import { useNames } from './use-names.ts'

const words = texts.orders
const { columns: titles } = words
const page_size = 100

/** The orders as a table with the whole width: to compare, sort and save what is shown. */
export function OrderTable() {
  const navigate = useNavigate()
  const filters = parseOrderFilters(useSearch({ strict: false }))
  const input = { ...toListInput(filters), size: page_size }
  const orders = useOperation('orders.list', input)
  const change = (next: OrderFilters): void =>
    void navigate({ to: '/orders/table', search: (previous: { v?: string }) => ({ ...keepView(previous), ...next }) })
  return (
    <Screen
      title={words.title}
      actions={
        <>
          <CopyCall operation="orders.list" input={input} />
          <Link to="/orders" search={(previous: object) => previous} className={styles['switch']!}>
            <List size={16} aria-hidden />
            {words.asList}
          </Link>
        </>
      }
      toolbar={<OrderFilterForm filters={filters} onChange={change} />}
    >
      <QueryView query={orders} rows={8}>
        {(page) =>
          page.content.length === 0 ? (
            <NoOrders isFiltered={isFiltered(filters)} onReset={() => change({})} />
          ) : (
            <OrderRows page={page} onPage={(to) => change({ ...filters, page: to })} />
          )
        }
      </QueryView>
    </Screen>
  )
}

interface OrderRowsProps {
  readonly page: OutputOf<'orders.list'>
  readonly onPage: (page: number) => void
}

const describeContent = ({ captureCount, orderType }: Order): string =>
  captureCount === 0 && orderType === 'tasking' ? words.newImagery : words.scenes(captureCount)

function OrderRows({ page: { content, page, totalPages, totalElements, last }, onPage }: OrderRowsProps) {
  const names = useNames()
  return (
    <>
      <p className={styles['count']} role="status">
        {words.count(formatCount(totalElements))}
      </p>
      <DataTable
        label={words.title}
        rows={content}
        getKey={({ id }) => id}
        fileName="orders"
        columns={[
          {
            title: titles.name,
            value: ({ displayName }) => displayName,
            render: ({ id, displayName }) => (
              <Link to="/orders/$orderId" params={{ orderId: id }} search={keepView}>
                {displayName}
              </Link>
            ),
          },
          {
            title: words.status,
            value: ({ status }) => words.states[status],
            render: (order) => <OrderBadge order={order} />,
          },
          { title: titles.content, isWideOnly: true, value: describeContent, render: describeContent },
          {
            title: words.project,
            isWideOnly: true,
            value: ({ projectId }) => names.project(projectId),
            render: ({ projectId }) => names.project(projectId),
          },
          {
            title: titles.person,
            isWideOnly: true,
            value: ({ createdBy }) => names.person(createdBy),
            render: ({ createdBy }) => names.person(createdBy),
          },
          {
            title: titles.credits,
            isNumeric: true,
            value: ({ totalCredits }) => totalCredits,
            render: (order) =>
              order.totalCredits === 0 ? (
                words.withoutPrice[describeMissingPrice(order)]
              ) : (
                <Credits credits={order.totalCredits} aud={order.totalAud} />
              ),
          },
          {
            title: titles.created,
            isWideOnly: true,
            value: ({ createdAt }) => createdAt,
            render: ({ createdAt }) => <Time at={createdAt} />,
          },
        ]}
      />
      {totalPages > 1 && (
        <nav className={styles['pages']} aria-label={words.pages}>
          <Button icon={ChevronLeft} disabled={page === 0} onClick={() => onPage(page - 1)}>
            {words.newer}
          </Button>
          <span className="figures">{words.page(page + 1, totalPages)}</span>
          <Button icon={ChevronRight} disabled={last} onClick={() => onPage(page + 1)}>
            {words.older}
          </Button>
        </nav>
      )}
    </>
  )
}
