import type { Client } from '@swath/client'
import type { InputOf, OperationId, OutputOf } from '@swath/client/operations.ts'
import { keepsRows } from './kept-rows.ts'

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
