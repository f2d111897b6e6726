import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { InputOf, OperationId, OutputOf } from '@swath/client/operations.ts'
import { createIdempotencyKey } from './idempotency-key.ts'
import { usePlatform } from './platform.tsx'
import { isOutdated } from './problem.ts'
import { createListQuery, createReadQuery } from './read-query.ts'

export interface OperationOptions {
  readonly enabled?: boolean
  /** Milliseconds between calls, for what changes without an event. */
  readonly refetchInterval?: number
}

/** The output of a read operation, cached by id and input; the rows of a list stay while those of another search are read. */
export function useOperation<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { enabled = true, refetchInterval }: OperationOptions = {},
): UseQueryResult<OutputOf<Id>> {
  const { client } = usePlatform()
  return useQuery({
    ...createListQuery(client, id, input),
    enabled,
    ...(refetchInterval ? { refetchInterval } : {}),
  })
}

/** The outputs of a read operation for several inputs, in their order; each is cached as if it were read alone. */
export function useOperations<Id extends OperationId>(
  id: Id,
  inputs: readonly InputOf<Id>[],
): UseQueryResult<OutputOf<Id>>[] {
  const { client } = usePlatform()
  return useQueries({
    queries: inputs.map((input) => createReadQuery(client, id, input)),
  })
}

/** Calls an operation that changes something; afterwards the outputs of the named operations are read again. */
export function useCommand<Id extends OperationId>(
  id: Id,
  affected: readonly OperationId[] = [],
): UseMutationResult<OutputOf<Id>, Error, InputOf<Id>> {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const readAgain = () => Promise.all(affected.map((operation) => queries.invalidateQueries({ queryKey: [operation] })))
  return useMutation({
    mutationFn: (input: InputOf<Id>) => client.call(id, input, { idempotencyKey: createIdempotencyKey() }),
    onSuccess: readAgain,
    onError: (error) => {
      if (isOutdated(error)) void readAgain()
    },
  })
}
