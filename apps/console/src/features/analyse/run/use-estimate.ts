import { useSettled } from '../../../api/use-settled.ts'
import { useOperation } from '../../../api/use-operation.ts'
import type { ProcessInput } from '../form/process-input.ts'
import type { JobPrice } from './job-price.ts'

export interface Estimate {
  /** Null until it is loaded for the present inputs. */
  readonly price: JobPrice | null
  /** Why there is none. */
  readonly error: unknown
  readonly retry: () => void
}

/** The price of running a process, requested when the inputs are complete. */
export function useEstimate(process_id: string, { inputs, faults }: ProcessInput): Estimate {
  const isComplete = Object.keys(faults).length === 0
  const settled = useSettled(JSON.stringify(inputs))
  const isCurrent = isComplete && settled === JSON.stringify(inputs)
  const query = useOperation(
    'processing.catalog.estimate',
    { process_id, inputs: JSON.parse(settled) as Record<string, unknown> },
    { enabled: isCurrent },
  )
  return {
    price: isCurrent && !query.isFetching ? (query.data ?? null) : null,
    error: isCurrent && !query.isFetching ? query.error : null,
    retry: () => void query.refetch(),
  }
}
