import type { HttpCall } from '../../prove/load/sender.ts'
import { quantile } from '../../prove/load/samples.ts'
import { createConnection, createRequestBytes } from '../socket-load.ts'

interface RequestLoad {
  /** The processes. */
  readonly urls: readonly string[]
  /** The request with this number, counted over all callers; null ends the load. */
  readonly request: (number: number) => HttpCall | null
  /**
   * Of each process. With as many for two processes as for one, each process would have half of them, and each request would cost it
   * more: what arrives together is read, written and waited for together.
   */
  readonly callers: number
  readonly duration_ms: number
  /** Failures are not an error of a warm-up. */
  readonly isWarmUp?: boolean
}

export interface RequestLoadResult {
  /** Successful responses a second; the times are those of successful responses, too. */
  readonly per_s: number
  readonly failed: number
  readonly p50_ms: number
  readonly p99_ms: number
}

/** More failures than this share are an error of the measurement. */
const max_failed_share = 0.02

/**
 * Callers that each send the next request when the previous response is complete. Errors do not count as fast responses; throws if there
 * are more than a few, such as tiles that exceed their time on a busy machine.
 */
export async function measureRequests({
  urls,
  request,
  callers,
  duration_ms,
  isWarmUp = false,
}: RequestLoad): Promise<RequestLoadResult> {
  const times_ms: number[] = []
  const failures: string[] = []
  const start = performance.now()
  let next = 0
  const callRepeatedly = async (url: string): Promise<void> => {
    const connection = createConnection(url)
    try {
      while (performance.now() - start < duration_ms) {
        const call = request(next++)
        if (call === null) return
        const sent = performance.now()
        const response = await connection.exchange(createRequestBytes(url, call))
        if (response && response.status < 300) times_ms.push(performance.now() - sent)
        else failures.push(response?.beginning.toString('latin1', 0, 800) ?? 'the connection was closed')
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(urls.flatMap((url) => Array.from({ length: callers }, () => callRepeatedly(url))))
  const took_s = (performance.now() - start) / 1000
  if (!isWarmUp && failures.length > Math.max(1, max_failed_share * times_ms.length))
    throw new Error(`${failures.length} requests failed, ${times_ms.length} did not: ${failures[0]}`)
  return {
    per_s: times_ms.length / took_s,
    failed: failures.length,
    p50_ms: quantile(times_ms, 0.5),
    p99_ms: quantile(times_ms, 0.99),
  }
}
