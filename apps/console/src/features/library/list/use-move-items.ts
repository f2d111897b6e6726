import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatform } from '../../../api/platform.tsx'

export interface Move {
  readonly ids: readonly string[]
  /** Null takes the items out of their collections. */
  readonly collection_id: string | null
  /** The name of the collection, for the message afterwards. */
  readonly name: string
}

const affected = ['stac.search', 'items.get', 'items.list', 'collections.list'] as const

/** Moves items to a collection of their project, one after the other; returns their number. Stops at the first that fails. */
export function useMoveItems() {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const [done, setDone] = useState(0)
  const move = useMutation({
    mutationFn: async ({ ids, collection_id }: Move) => {
      for (const [index, item_id] of ids.entries()) {
        setDone(index)
        await client.call('items.update', { item_id, collection_id })
      }
      return ids.length
    },
    onSettled: () => Promise.all(affected.map((operation) => queries.invalidateQueries({ queryKey: [operation] }))),
  })
  return { ...move, done }
}
