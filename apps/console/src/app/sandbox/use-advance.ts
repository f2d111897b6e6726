import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { useState } from 'react'
import { createIdempotencyKey } from '../../api/idempotency-key.ts'
import { usePlatform } from '../../api/platform.tsx'

type AdvanceInput = InputOf<'sandbox.clock.advance'>

/** Moves the clock to the requested time, in as many calls as that takes; afterwards everything is read again. */
export function useAdvance() {
  const { client } = usePlatform()
  const queries = useQueryClient()
  /** The time that has been reached so far. */
  const [reached, setReached] = useState<string | null>(null)
  const mutation = useMutation({
    mutationFn: async (input: AdvanceInput): Promise<OutputOf<'sandbox.clock.advance'>> => {
      let output = await client.call('sandbox.clock.advance', input, { idempotencyKey: createIdempotencyKey() })
      let { steps } = output
      while (!output.reached) {
        setReached(output.now)
        output = await client.call(
          'sandbox.clock.advance',
          { to: output.target },
          { idempotencyKey: createIdempotencyKey() },
        )
        steps += output.steps
      }
      return { ...output, steps }
    },
    onSettled: () => {
      setReached(null)
      return queries.invalidateQueries()
    },
  })
  return { ...mutation, reached }
}
