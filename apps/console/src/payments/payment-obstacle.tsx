import { isProblem } from '../api/problem.ts'
import { ProblemNote } from '../ui/problem-note.tsx'
import { CardChallenge } from './card-challenge.tsx'

export interface PaymentObstacleProps {
  readonly error: unknown
  /** Credits are missing, and the dialog offers a top-up. */
  readonly isShort: boolean
  readonly isPending: boolean
  readonly onRetry: () => void
}

/** Why a payment did not succeed, with the way on. */
export function PaymentObstacle({ error, isShort, isPending, onRetry }: PaymentObstacleProps) {
  if (!error || isPending) return null
  if (isProblem(error, 'payment-action-required'))
    return <CardChallenge problem={error} onContinue={onRetry} isPending={isPending} />
  // The top-up is the way on.
  if (isShort && isProblem(error, 'insufficient-credits')) return null
  return <ProblemNote error={error} onRetry={onRetry} />
}
