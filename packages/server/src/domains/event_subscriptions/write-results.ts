import { setTimeout as sleep } from 'node:timers/promises'
import { recordEventDeliveryAttempts, type EventDeliveryContext } from './deliver.ts'
import type { FinishedEventDeliveryAttempt } from './record-results.ts'

/** Before each repetition of a write of results; together as long as another database server takes to take over. */
const write_pauses_ms = [100, 500, 2000, 5000, 15_000, 30_000] as const

export interface WriteWebhookResultsOptions {
  /** Shortens the pauses of a process that stops, or of a caller who has left. */
  readonly signal: AbortSignal
  /** A write failed and is repeated after the pause. */
  readonly onFailure?: (error: unknown, pause_ms: number) => void
}

/**
 * Writes the results of attempts that were made. A write that fails is repeated, because a delivery without a result is sent
 * again once its lease is over. Throws the last error if no repetition succeeded.
 */
export async function writeEventDeliveryResults(
  context: EventDeliveryContext,
  attempts: readonly FinishedEventDeliveryAttempt[],
  { signal, onFailure }: WriteWebhookResultsOptions,
): Promise<void> {
  for (const pause_ms of write_pauses_ms) {
    try {
      return await recordEventDeliveryAttempts(context, attempts)
    } catch (error) {
      onFailure?.(error, pause_ms)
      await sleep(pause_ms, undefined, { signal }).catch(() => sleep(write_pauses_ms[0]))
    }
  }
  await recordEventDeliveryAttempts(context, attempts)
}
