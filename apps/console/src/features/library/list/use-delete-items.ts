import { useMutation, useQueryClient } from '@tanstack/react-query'
import { usePlatform } from '../../../api/platform.tsx'

const affected = ['stac.search', 'items.get', 'items.list', 'collections.list', 'events.list'] as const
/** As many as one call takes. */
const batch_size = 1000

export interface DeleteOutcome {
  readonly ids: readonly string[]
  /** Those that were not deleted, and why. */
  readonly refused: number
  readonly reason: string | null
}

/** Deletes items, and restores them again. */
export function useDeleteItems() {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const onSettled = () => Promise.all(affected.map((operation) => queries.invalidateQueries({ queryKey: [operation] })))
  const remove = useMutation({
    mutationFn: async (ids: readonly string[]): Promise<DeleteOutcome> => {
      const results = []
      for (let start = 0; start < ids.length; start += batch_size)
        results.push(
          ...(await client.call('items.batch_delete', { item_ids: ids.slice(start, start + batch_size) })).results,
        )
      return {
        ids: results.filter(({ deleted }) => deleted).map(({ item_id }) => item_id),
        refused: results.filter(({ deleted }) => !deleted).length,
        reason: results.find(({ refusal }) => refusal !== null)?.refusal?.detail ?? null,
      }
    },
    onSettled,
  })
  const restore = useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const item_id of ids) await client.call('items.restore', { item_id })
    },
    onSettled,
  })
  return { remove, restore }
}
