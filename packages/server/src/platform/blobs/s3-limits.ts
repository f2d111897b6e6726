import { ReadStream } from 'node:fs'
import type { S3Client } from '@aws-sdk/client-s3'
import { monotonic_ms } from '../clock.ts'
import { BlobStoreUnavailable } from './blobs.ts'

/** Timeouts and retries of a blob store on S3. */
export interface S3RetryPolicy {
  /** Timeout for connecting, per attempt. */
  readonly connect_timeout_ms: number
  /** Timeout of one call with all attempts; extended by the time that its bytes need at the minimum rate. */
  readonly call_timeout_ms: number
  readonly min_bytes_per_s: number
  /** Between two chunks of a stream, counted only while a reader waits; and between two chunks of an upload. */
  readonly idle_timeout_ms: number
  readonly max_attempts: number
}

const mebibyte = 1024 * 1024

/** The limits of calls within a request. */
export const s3RequestRetryPolicy: S3RetryPolicy = {
  connect_timeout_ms: 2000,
  call_timeout_ms: 5000,
  min_bytes_per_s: mebibyte,
  idle_timeout_ms: 10_000,
  max_attempts: 3,
}

/** The limits of background work, which is retried later. */
export const s3BackgroundRetryPolicy: S3RetryPolicy = {
  connect_timeout_ms: 5000,
  call_timeout_ms: 60_000,
  min_bytes_per_s: mebibyte / 4,
  idle_timeout_ms: 60_000,
  max_attempts: 4,
}

const timeoutError = (timeout_ms: number): BlobStoreUnavailable =>
  new BlobStoreUnavailable(new Error(`the blob store took longer than ${timeout_ms} ms`))

/**
 * Runs work of this size with a signal that ends it; `countSent` returns the bytes sent so far. Throws
 * `BlobStoreUnavailable` after the timeout even if the work ignores the signal.
 */
export async function withTransferTimeLimit<T>({
  limits,
  size_bytes,
  work,
  signal,
  countSent = null,
}: {
  readonly limits: S3RetryPolicy
  readonly size_bytes: number
  readonly work: (signal: AbortSignal) => Promise<T>
  readonly signal?: AbortSignal
  readonly countSent?: (() => number) | null
}): Promise<T> {
  const timeout_ms = Math.ceil(limits.call_timeout_ms + (size_bytes / limits.min_bytes_per_s) * 1000)
  const timeoutController = new AbortController()
  const timedOut = new Promise<never>((_resolve, reject) => {
    timeoutController.signal.addEventListener('abort', () => reject(timeoutController.signal.reason as Error), {
      once: true,
    })
  })
  const timer = setTimeout(() => timeoutController.abort(timeoutError(timeout_ms)), timeout_ms)
  const progressTimer =
    countSent &&
    onStall(countSent, limits.idle_timeout_ms, () => timeoutController.abort(timeoutError(limits.idle_timeout_ms)))
  try {
    return await Promise.race([
      work(signal ? AbortSignal.any([signal, timeoutController.signal]) : timeoutController.signal),
      timedOut,
    ])
  } catch (error) {
    throw timeoutController.signal.aborted ? timeoutController.signal.reason : error
  } finally {
    clearTimeout(timer)
    if (progressTimer) clearInterval(progressTimer)
  }
}

/** Calls back when a number has not changed for `idle_timeout_ms`. */
function onStall(progress: () => number, idle_timeout_ms: number, onStalled: () => void): NodeJS.Timeout {
  let lastProgress = { value: progress(), at: monotonic_ms() }
  return setInterval(() => {
    const value = progress()
    if (value !== lastProgress.value) lastProgress = { value, at: monotonic_ms() }
    else if (monotonic_ms() - lastProgress.at >= idle_timeout_ms) onStalled()
  }, idle_timeout_ms / 10)
}

type Send = (command: { readonly input: object }, options?: { readonly abortSignal?: AbortSignal }) => Promise<unknown>

/** Applies the limits to every call of the client. */
export function applyS3RetryPolicy(client: S3Client, limits: S3RetryPolicy): void {
  const send = client.send.bind(client) as Send
  const sendWithLimits: Send = (command, options = {}) => {
    const { input } = command
    const size_bytes = 'ContentLength' in input && 'Body' in input ? Number(input.ContentLength ?? 0) : 0
    const work = (abortSignal: AbortSignal): Promise<unknown> => send(command, { ...options, abortSignal })
    const body = 'Body' in input && input.Body instanceof ReadStream ? input.Body : null
    return withTransferTimeLimit({
      limits,
      size_bytes,
      work,
      signal: options.abortSignal,
      countSent: body && (() => body.bytesRead),
    })
  }
  client.send = sendWithLimits as S3Client['send']
}

/** The chunks of a body; fails as an outage after the idle timeout. Closes the body when the reader stops. */
export async function* readBodyChunks(
  body: AsyncIterable<Uint8Array>,
  { idle_timeout_ms }: Pick<S3RetryPolicy, 'idle_timeout_ms'>,
  close: (error?: Error) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const timer = setTimeout(() => close(timeoutError(idle_timeout_ms)), idle_timeout_ms)
      const next = await iterator.next().finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value
    }
  } finally {
    close()
  }
}
