import type { OutputOf } from '@swath/client/operations.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useSettled } from '../../../api/use-settled.ts'
import { useOperation } from '../../../api/use-operation.ts'
import type { ProcessInput } from '../form/process-input.ts'

/** The price of running a process, asked for when the inputs are complete. */
export function useEstimate(
  process_id: string,
  { inputs, faults }: ProcessInput,
): UseQueryResult<OutputOf<'processing.catalog.estimate'>> {
  const isComplete = Object.keys(faults).length === 0
  const settled = useSettled(JSON.stringify(inputs))
  const isSettled = settled === JSON.stringify(inputs)
  return useOperation(
    'processing.catalog.estimate',
    { process_id, inputs: JSON.parse(settled) as Record<string, unknown> },
    { enabled: isComplete && isSettled },
  )
}
