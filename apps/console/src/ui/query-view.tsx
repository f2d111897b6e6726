import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { Skeleton } from './skeleton.tsx'

export interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Rows of the placeholder. */
  readonly rows?: number
  readonly children: (data: Data) => ReactNode
}

/** The states of a read: a placeholder, the problem (also one without permission) with a way on, or the data. */
export function QueryView<Data>({ query, rows = 4, children }: QueryViewProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retriesItself />
  return <Skeleton rows={rows} />
}
