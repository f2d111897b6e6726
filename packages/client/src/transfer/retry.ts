import { ApiProblem } from '../problem.ts'
import { sleep } from '../sleep.ts'
import { isRepeatable, TransferError } from './errors.ts'

const first_wait_ms = 1000
const max_wait_ms = 30_000
const max_tries = 10
/** Nobody waits longer for a `Retry-After`, such as that of a daily limit: the failure is told instead. */
const max_retry_after_s = 120

/** Waits before a repetition; rejects with the reason of the signal when it is aborted. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export interface RetryOptions {
  readonly signal: AbortSignal
  /** Default: the time passes. */
  readonly wait?: Wait
  /** Called with true before each wait, and with false when it goes on. */
  readonly onWait?: (isWaiting: boolean) => void
}

const readRetryAfter_s = (error: unknown): number => (error instanceof ApiProblem ? (error.retryAfter_s ?? 0) : 0)

/** Failures that pass, such as a broken connection, which is a `TypeError`; mistakes of a program are of other kinds. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof TransferError || error instanceof RangeError) &&
  isRepeatable(error) &&
  readRetryAfter_s(error) <= max_retry_after_s

/** The wait before the next try: the longer of `Retry-After` and the back-off, which doubles up to half a minute. */
const waitAfter = (error: unknown, failures: number): number =>
  Math.max(readRetryAfter_s(error) * 1000, Math.min(max_wait_ms, first_wait_ms * 2 ** (failures - 1)))

/**
 * Does work again after failures that pass, for about three minutes.
 *
 * @param work gets a function to say that it progresses: the three minutes begin again.
 */
export async function retry<Result>(
  work: (onProgress: () => void) => Promise<Result>,
  { signal, wait = sleep, onWait = () => undefined }: RetryOptions,
): Promise<Result> {
  let failures = 0
  let hasWaited = false
  const onProgress = (): void => {
    failures = 0
    if (hasWaited) onWait(false)
    hasWaited = false
  }
  for (;;) {
    try {
      const result = await work(onProgress)
      onProgress()
      return result
    } catch (error) {
      if (signal.aborted || !mayPass(error) || ++failures === max_tries) throw error
      hasWaited = true
      onWait(true)
      await wait(waitAfter(error, failures), signal)
    }
  }
}
