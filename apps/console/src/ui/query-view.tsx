import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { Skeleton } from './skeleton.tsx'

export interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Rows of the placeholder. */
  readonly rows?: number
  /** Of each row of the placeholder. */
  readonly height_px?: number
  readonly children: (data: Data) => ReactNode
}

/** The states of a read: a placeholder, the problem (also one without permission) with a way on, or the data. */
export function QueryView<Data>({ query, rows = 4, height_px = 48, children }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retriesItself />
  return <Skeleton rows={rows} height_px={height_px} />
}
