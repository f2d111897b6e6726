import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'
import { Section } from './screen.tsx'
import { BusyLine, Skeleton } from './skeleton.tsx'

export interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>
  /** Of the section in which the data are shown: it stands above the placeholder, and says what could not be read. */
  readonly title?: string
  /** Rows of the placeholder. */
  readonly rows?: number
  /** Of each row of the placeholder. */
  readonly height_px?: number
  readonly children: (data: Data) => ReactNode
}

/**
 * The states of a read: a placeholder, the problem (also one without permission) with a way on, or the data. Rows of a
 * list that were read for another search stay below a mark until those of this one are there, and opened rows stay
 * open.
 */
export function QueryView<Data>({ query, title, rows = 4, height_px = 48, children }: QueryViewProps<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isPlaceholderData && <BusyLine />}
        {children(query.data)}
      </>
    )
  const state = query.isError ? (
    <ProblemNote error={query.error} onRetry={() => void query.refetch()} retriesItself />
  ) : (
    <Skeleton rows={rows} height_px={height_px} />
  )
  return title === undefined ? state : <Section title={title}>{state}</Section>
}
