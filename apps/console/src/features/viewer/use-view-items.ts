import { useOperations } from '../../api/use-operation.ts'
import { toViewItem, type ViewItem } from './state/view-item.ts'

export interface ViewItems {
  /** Those that have arrived, in the order of the URL. */
  readonly items: readonly ViewItem[]
  readonly isLoading: boolean
  /** Why items cannot be read, by id. */
  readonly failures: readonly { readonly id: string; readonly error: unknown }[]
  readonly retry: () => void
}

/** The items of the URL. */
export function useViewItems(ids: readonly string[]): ViewItems {
  const reads = useOperations(
    'items.get_stac',
    ids.map((item_id) => ({ item_id })),
  )
  return {
    items: reads.flatMap(({ data }) => (data ? [toViewItem(data)] : [])),
    isLoading: reads.some(({ isPending }) => isPending),
    failures: reads.flatMap(({ error }, at) => (error ? [{ id: ids[at]!, error }] : [])),
    retry: () => {
      for (const read of reads) if (read.isError) void read.refetch()
    },
  }
}
