import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, List, Table2 } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Order } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { ordersTexts } from '../../texts/orders.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { formatCount } from '../../ui/format.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { NoOrders } from './no-orders.tsx'
import { type OrderFilters, isFiltered, page_size, parseOrderFilters, toListInput } from './order-filters.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'
import { SelectField, TextField } from '../../ui/field.tsx'
import { type StatusGroup, statusGroups } from './order-states.ts'
import styles from './orders.module.css'

const typing_ms = 300

interface OrderFilterFormProps {
  readonly filters: OrderFilters
  readonly onChange: (filters: OrderFilters) => void
}

/** The filters of the list; a change begins again at the first page. */
function OrderFilterForm({ filters, onChange }: OrderFilterFormProps) {
  const projects = useOperation('projects.list', {})
  const { page: _, ...rest } = filters
  const set = (name: 'status' | 'project' | 'name', value: string): void => {
    const { [name]: __, ...others } = rest
    onChange(value === '' ? others : ({ ...others, [name]: value } as OrderFilters))
  }
  return (
    <form
      className={`${layout['wrap']} ${styles['filters']}`}
      aria-label={ordersTexts.filters}
      onSubmit={(event) => event.preventDefault()}
    >
      <SelectField
        label={ordersTexts.status}
        value={filters.status ?? ''}
        onChange={(status) => set('status', status)}
        choices={[
          { value: '', label: ordersTexts.all },
          ...(Object.keys(statusGroups) as StatusGroup[]).map((group) => ({
            value: group,
            label: ordersTexts.groups[group],
          })),
        ]}
      />
      <SelectField
        label={ordersTexts.project}
        value={filters.project ?? ''}
        onChange={(project) => set('project', project)}
        choices={[
          { value: '', label: ordersTexts.allProjects },
          ...(projects.data?.projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <NameFilter value={filters.name ?? ''} onChange={(name) => set('name', name)} />
    </form>
  )
}

/** The name is searched for when the typing pauses. */
function NameFilter({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const [text, setText] = useState(value)
  const report = useRef(onChange)
  useEffect(() => {
    report.current = onChange
  })
  // The URL changes without typing, too.
  useEffect(() => setText((current) => (current.trim() === value ? current : value)), [value])
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => report.current(text.trim()), typing_ms)
    return () => clearTimeout(timer)
  }, [text, value])
  return <TextField label={ordersTexts.name} type="search" value={text} onChange={setText} />
}

const words = ordersTexts

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
