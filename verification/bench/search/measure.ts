import { Agent, request } from 'node:http'
import { median } from '../median.ts'

/** One implementation that runs a query. */
export interface Contender<Query> {
  readonly name: string
  readonly run: (query: Query) => Promise<Buffer>
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Posts JSON over a keep-alive connection and returns the response body. Throws unless the status is 200. */
export function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const text = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
      },
      (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('error', reject)
        response.on('end', () => {
          const whole = Buffer.concat(pieces)
          if (response.statusCode === 200) resolve(whole)
          else reject(new Error(`${url} returned ${response.statusCode}: ${whole.toString('utf8').slice(0, 500)}`))
        })
      },
    )
    clientRequest.on('error', reject)
    clientRequest.end(text)
  })
}

/** Milliseconds of one call. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Runs each query on every contender before the next query; returns medians in milliseconds. The first contender finds
 * database pages cold that are warm for the others, so each one comes before each other one as often as after it.
 */
export async function measureInTurns<Query>(
  contenders: readonly Contender<Query>[],
  searches: readonly Query[],
): Promise<number[]> {
  const times = new Map(contenders.map((contender) => [contender, [] as number[]]))
  for (const [turn, search] of searches.entries()) {
    const first = Math.floor(turn / 2) % contenders.length
    const order = [...contenders.slice(first), ...contenders.slice(0, first)]
    for (const contender of turn % 2 === 0 ? order : order.toReversed()) {
      times.get(contender)!.push(await timed(() => contender.run(search)))
    }
  }
  return [...times.values()].map(median)
}
