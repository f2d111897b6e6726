import { Link } from '@tanstack/react-router'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { keepView } from '../../map/keep-view.ts'
import { moneyTexts } from '../../texts/money.ts'

type Entry = OutputOf<'billing.credits.transactions'>['transactions'][number]

/** The name of the order, job or other subject of an entry, as far as it has one. */
export type ReferenceNames = (reference: Entry['reference']) => string

const { references } = moneyTexts

/** Reads the names of the orders of some entries with one call. */
export function useReferenceNames(entries: readonly Entry[]): ReferenceNames {
  const ids = new Set(entries.flatMap(({ reference }) => (reference?.type === 'order' ? [reference.id] : [])))
  const input = { orderIds: [...ids].toSorted().join(','), size: Math.max(1, ids.size) }
  const orders = useOperation('orders.list', input, { enabled: ids.size > 0 }).data?.content
  return (reference) => {
    if (!reference) return ''
    const { type, id } = reference
    const name = type === 'order' && orders?.find((order) => order.id === id)?.displayName
    return name || (references[type as keyof typeof references] ?? type)
  }
}

/** The reference of a ledger entry: a link to its order or job. */
export function EntryReference({ reference, names }: { reference: Entry['reference']; names: ReferenceNames }) {
  if (!reference) return null
  const { type, id } = reference
  if (type === 'order')
    return (
      <Link to="/orders/$orderId" params={{ orderId: id }} search={keepView}>
        {names(reference)}
      </Link>
    )
  if (type === 'job')
    return (
      <Link to="/analyse/jobs/$jobId" params={{ jobId: id }} search={keepView}>
        {names(reference)}
      </Link>
    )
  return names(reference)
}
