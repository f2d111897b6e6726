import { useOperations } from '../../../api/use-operation.ts'
import { isProblem } from '../../../api/problem.ts'
import { toAnalysedItem, type AnalysedItem } from './analysed-item.ts'

export interface Sources {
  /** The items that are loaded, in the order in which they were chosen. */
  readonly items: readonly AnalysedItem[]
  /** Ids of items that do not exist, or not any more. */
  readonly missing: readonly string[]
  /** Why others could not be read. */
  readonly error: unknown
  readonly isLoading: boolean
  readonly retry: () => void
}

/** The chosen items. */
export function useSources(ids: readonly string[]): Sources {
  const reads = useOperations(
    'items.get',
    ids.map((item_id) => ({ item_id })),
  )
  const isMissing = (error: unknown): boolean => isProblem(error, 'not-found', 'validation')
  return {
    items: reads.flatMap(({ data }) => (data ? [toAnalysedItem(data.item)] : [])),
    missing: ids.filter((_, at) => isMissing(reads[at]!.error)),
    error: reads.find(({ error }) => error !== null && !isMissing(error))?.error ?? null,
    isLoading: reads.some(({ isPending }) => isPending),
    retry: () => {
      for (const read of reads) if (read.isError) void read.refetch()
    },
  }
}
