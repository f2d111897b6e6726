import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { InputOf, OperationId, OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from './platform.tsx'

export interface OperationOptions {
  readonly enabled?: boolean
  /** Milliseconds between calls, for what changes without an event. */
  readonly refetchInterval?: number
}

/** The output of a read operation, cached by id and input. */
export function useOperation<Id extends OperationId>(
  id: Id,
  input: InputOf<Id>,
  { enabled = true, refetchInterval }: OperationOptions = {},
): UseQueryResult<OutputOf<Id>> {
  const { client } = usePlatform()
  return useQuery({
    queryKey: [id, input],
    queryFn: ({ signal }) => client.call(id, input, { signal }),
    enabled,
    ...(refetchInterval ? { refetchInterval } : {}),
  })
}

/** Calls an operation that changes something; afterwards the outputs of the named operations are read again. */
export function useCommand<Id extends OperationId>(
  id: Id,
  affected: readonly OperationId[] = [],
): UseMutationResult<OutputOf<Id>, Error, InputOf<Id>> {
  const { client } = usePlatform()
  const queries = useQueryClient()
  return useMutation({
    // One key for each attempt of a person, so that a repeated request is not charged twice.
    mutationFn: (input: InputOf<Id>) => client.call(id, input, { idempotencyKey: crypto.randomUUID() }),
    onSuccess: () => Promise.all(affected.map((operation) => queries.invalidateQueries({ queryKey: [operation] }))),
  })
}
