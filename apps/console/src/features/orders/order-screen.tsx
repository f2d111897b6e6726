import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, List, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Order } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { formatCount } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { NoOrders } from './no-orders.tsx'
import { OrderFilterForm } from './order-filter-form.tsx'
import { isFiltered, page_size, parseOrderFilters, toListInput, type OrderFilters } from './order-filters.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = texts.orders

/** The two ways to see the orders: how many are on a page, and what leads to the other one. */
const layouts = {
  '/orders': { size: page_size, other: '/orders/table', icon: Table2, label: words.asTable },
  '/orders/table': { size: 100, other: '/orders', icon: List, label: words.asList },
} as const

export interface OrderScreenProps {
  readonly path: keyof typeof layouts
  readonly children: (orders: readonly Order[]) => ReactNode
}

/** A page of the orders of the organization that the filters let pass, newest first. */
export function OrderScreen({ path, children }: OrderScreenProps) {
  const navigate = useNavigate()
  const { size, other, icon: Icon, label } = layouts[path]
  const filters = parseOrderFilters(useSearch({ strict: false }))
  const input = { ...toListInput(filters), size }
  const orders = useOperation('orders.list', input)
  const change = (next: OrderFilters): void => {
    void navigate({ to: path, search: (previous: { v?: string }) => ({ ...keepView(previous), ...next }) })
  }
  // Pages of the other layout have another size.
  const { page: _, ...kept } = filters
  return (
    <Screen
      title={words.title}
      actions={
        <>
          <CopyCall operation="orders.list" input={input} />
          <Link
            to={other}
            search={(previous: { v?: string }) => ({ ...keepView(previous), ...kept })}
            className={layout['line']!}
          >
            <Icon size={16} aria-hidden />
            {label}
          </Link>
        </>
      }
      toolbar={<OrderFilterForm filters={filters} onChange={change} />}
    >
      <QueryView query={orders} rows={6}>
        {({ content, page, totalPages, totalElements, last }) =>
          content.length === 0 ? (
            <NoOrders isFiltered={isFiltered(filters)} onReset={() => change({})} />
          ) : (
            <>
              <p className={`${layout['flat']} ${typography['muted']}`} role="status">
                {words.count(formatCount(totalElements))}
              </p>
              {children(content)}
              {totalPages > 1 && (
                <nav
                  className={`${layout['spread']} ${layout['inset']} ${layout['lineAbove']}`}
                  aria-label={words.pages}
                >
                  <Button
                    icon={ChevronLeft}
                    disabled={page === 0}
                    onClick={() => page > 0 && change({ ...filters, page: page - 1 })}
                  >
                    {words.newer}
                  </Button>
                  <span className="figures">{words.page(page + 1, totalPages)}</span>
                  <Button
                    icon={ChevronRight}
                    disabled={last}
                    onClick={() => !last && change({ ...filters, page: page + 1 })}
                  >
                    {words.older}
                  </Button>
                </nav>
              )}
            </>
          )
        }
      </QueryView>
    </Screen>
  )
}
