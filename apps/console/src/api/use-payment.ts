import { useRef, useState } from 'react'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { InputOf, OperationId, OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from './platform.tsx'
import { isOutdated, isProblem } from './problem.ts'
import { readStored, writeStored } from './storage.ts'
import { createIdempotencyKey } from './idempotency-key.ts'
import { resumeAttempt } from './attempt.ts'

/** Storage key of the attempt of an operation, shared by all windows of this browser and after a reload. */
const storageKey = (operation: OperationId): string => `swath.attempt.${operation}`

async function hash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

type Payment<Id extends OperationId> = Pick<
  UseMutationResult<OutputOf<Id>, Error, InputOf<Id>>,
  'mutate' | 'isPending' | 'error'
>

/**
 * Calls an operation that costs money. The same input has the same idempotency key until the call succeeds or is declined,
 * so repeating it after an unknown outcome, or after 3-D Secure, cannot charge twice.
 */
export function usePayment<Id extends OperationId>(id: Id, affected: readonly OperationId[]): Payment<Id> {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const [challenge, setChallenge] = useState<Error | null>(null)
  const isRunning = useRef(false)
  const store = storageKey(id)
  // Not awaited: what follows the payment must not wait for other reads.
  const readAgain = (): void => {
    for (const operation of affected) void queries.invalidateQueries({ queryKey: [operation] })
  }
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (input: InputOf<Id>) => {
      const attempt = resumeAttempt(readStored(store), await hash(JSON.stringify(input)), createIdempotencyKey)
      writeStored(store, JSON.stringify(attempt))
      return client.call(id, input, { idempotencyKey: attempt.key })
    },
    onSettled: () => {
      isRunning.current = false
    },
    onSuccess: () => {
      writeStored(store, null)
      setChallenge(null)
      readAgain()
    },
    onError: (error: Error) => {
      setChallenge(isProblem(error, 'payment-action-required') ? error : null)
      // A declined attempt is over; the next one may use another card.
      if (isProblem(error, 'payment-declined')) writeStored(store, null)
      if (isOutdated(error)) readAgain()
    },
  })
  // A second call beside the first would begin another attempt once the first has succeeded.
  const start: Payment<Id>['mutate'] = (...parameters) => {
    if (isRunning.current) return
    isRunning.current = true
    mutate(...parameters)
  }
  // The step of the bank stays while the call is repeated: it may have come too early.
  return { mutate: start, isPending, error: error ?? (isPending ? challenge : null) }
}
