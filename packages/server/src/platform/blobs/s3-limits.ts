import { ReadStream } from 'node:fs'
import type { S3Client } from '@aws-sdk/client-s3'
import { monotonic_ms } from '../clock.ts'
import { BlobsUnavailable } from './blobs.ts'

/** Timeouts and retries of a blob store on S3. */
export interface S3Limits {
  /** To connect, per attempt. */
  readonly connection_ms: number
  /** For one call with all attempts; extended by the time that its bytes need at the minimum rate. */
  readonly call_ms: number
  readonly lowest_bytes_per_s: number
  /** Between two chunks of a stream, counted only while a reader waits; and between two chunks of an upload. */
  readonly idle_ms: number
  readonly attempts: number
}

const MiB = 1024 * 1024

/** For calls within a request. */
export const requestLimits: S3Limits = {
  connection_ms: 2000,
  call_ms: 5000,
  lowest_bytes_per_s: MiB,
  idle_ms: 10_000,
  attempts: 3,
}

/** For background work, which is retried later. */
export const backgroundLimits: S3Limits = {
  connection_ms: 5000,
  call_ms: 60_000,
  lowest_bytes_per_s: MiB / 4,
  idle_ms: 60_000,
  attempts: 4,
}

const tooSlow = (ms: number): BlobsUnavailable =>
  new BlobsUnavailable(new Error(`the blob store took longer than ${ms} ms`))

/**
 * Runs work of a given size with a signal that ends it; `countSent` returns the bytes sent so far. Throws
 * `BlobStoreUnavailable` after the timeout even if the work ignores the signal.
 */
export async function withinLimits<T>(
  limits: S3Limits,
  size_bytes: number,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
  sent: (() => number) | null = null,
): Promise<T> {
  const ms = Math.ceil(limits.call_ms + (size_bytes / limits.lowest_bytes_per_s) * 1000)
  const over = new AbortController()
  const ended = new Promise<never>((_resolve, reject) => {
    over.signal.addEventListener('abort', () => reject(over.signal.reason as Error), { once: true })
  })
  const timer = setTimeout(() => over.abort(tooSlow(ms)), ms)
  const watch = sent && watchProgress(sent, limits.idle_ms, () => over.abort(tooSlow(limits.idle_ms)))
  try {
    return await Promise.race([work(outer ? AbortSignal.any([outer, over.signal]) : over.signal), ended])
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : error
  } finally {
    clearTimeout(timer)
    if (watch) clearInterval(watch)
  }
}

/** Calls back when a number has not changed for `idle_timeout_ms`. */
function watchProgress(progress: () => number, idle_ms: number, tell: () => void): NodeJS.Timeout {
  let last = { value: progress(), at: monotonic_ms() }
  return setInterval(() => {
    const value = progress()
    if (value !== last.value) last = { value, at: monotonic_ms() }
    else if (monotonic_ms() - last.at >= idle_ms) tell()
  }, idle_ms / 10)
}

type Send = (command: { readonly input: object }, options?: { readonly abortSignal?: AbortSignal }) => Promise<unknown>

/** Applies the limits to every call of the client. */
export function limitCalls(client: S3Client, limits: S3Limits): void {
  const send = client.send.bind(client) as Send
  const limited: Send = (command, options = {}) => {
    const { input } = command
    const size_bytes = 'ContentLength' in input && 'Body' in input ? Number(input.ContentLength ?? 0) : 0
    const work = (abortSignal: AbortSignal): Promise<unknown> => send(command, { ...options, abortSignal })
    const body = 'Body' in input && input.Body instanceof ReadStream ? input.Body : null
    return withinLimits(limits, size_bytes, work, options.abortSignal, body && (() => body.bytesRead))
  }
  client.send = limited as S3Client['send']
}

/** The chunks of a body; fails as an outage after the idle timeout. Closes the body when the reader stops. */
export async function* piecesOf(
  body: AsyncIterable<Uint8Array>,
  { idle_ms }: Pick<S3Limits, 'idle_ms'>,
  close: (error?: Error) => void,
): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const timer = setTimeout(() => close(tooSlow(idle_ms)), idle_ms)
      const next = await pieces.next().finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value
    }
  } finally {
    close()
  }
}
