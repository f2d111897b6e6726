import { createConnection } from './socket-connection.ts'

export interface SocketLoad {
  readonly url: string
  /** The whole request: headers and body. */
  readonly request: Buffer
  readonly connections: number
  readonly duration_ms: number
}

/**
 * Responses per second: every connection repeats the request as soon as the previous response is complete. Throws if a response is
 * not a 200.
 */
export async function measureThroughput({ url, request, connections, duration_ms }: SocketLoad): Promise<number> {
  let responseCount = 0
  const start = performance.now()
  const repeat = async (): Promise<void> => {
    const connection = createConnection(url)
    try {
      while (performance.now() - start < duration_ms) {
        const response = await connection.exchange(request)
        if (response?.status !== 200) throw new Error(`unexpected response: ${response?.beginning.toString('latin1')}`)
        responseCount++
      }
    } finally {
      connection.close()
    }
  }
  await Promise.all(Array.from({ length: connections }, repeat))
  return (1000 * responseCount) / (performance.now() - start)
}
