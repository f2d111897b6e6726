import type { Client } from '@swath/client/client.ts'
import type { InputOf, OperationId, OutputOf } from '@swath/client/operations.ts'

/** Prefix of the last word of an operation that lists rows. */
const listWords = ['list', 'search', 'transactions', 'pending'] as const

/** Members that say whose rows are listed, such as `project_id`, `userId` and `ids`. */
const isSubject = (name: string): boolean => /(^|_)ids?$|Ids?$/.test(name)

/**
 * Whether the rows of one input may stay in view until those of another have been read: the operation lists rows, and both inputs
 * list the same subject in another search, order or number.
 */
export function keepsRows(operation: string, previous: object, next: object): boolean {
  const word = operation.split('.').at(-1)!
  if (!listWords.some((listWord) => word === listWord || word.startsWith(`${listWord}_`))) return false
  const subjectOf = (input: object): string =>
    JSON.stringify(Object.entries(input).filter(([name]) => isSubject(name)).toSorted()) // prettier-ignore
  return subjectOf(previous) === subjectOf(next)
}

type ReadKey<Id extends OperationId> = readonly [id: Id, input: InputOf<Id>]

interface PreviousRead {
  readonly queryKey: readonly unknown[]
}

/** Query options that read and cache the output of an operation by id and input. */
export const createReadQuery = <Id extends OperationId>(client: Pick<Client, 'call'>, id: Id, input: InputOf<Id>) => ({
  queryKey: [id, input] as ReadKey<Id>,
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<OutputOf<Id>> => client.call(id, input, { signal }),
})

/** The same for a read whose input changes: the rows of a list stay until those of the next input have been read. */
export const createListQuery = <Id extends OperationId>(client: Pick<Client, 'call'>, id: Id, input: InputOf<Id>) => ({
  ...createReadQuery(client, id, input),
  placeholderData: <Rows>(rows: Rows | undefined, previous: PreviousRead | undefined): Rows | undefined => {
    const [previousId, previousInput] = previous?.queryKey ?? []
    return previousId === id && keepsRows(id, previousInput as object, input) ? rows : undefined
  },
})
