import { Agent, request } from 'node:http'
import { alternate, median, timed } from '../runner.ts'
import { createQueries, type SearchQuery } from './queries.ts'

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

/** Runs each query on every contender before the next query; returns medians in milliseconds. */
export async function measureInTurns<Query>(
  contenders: readonly Contender<Query>[],
  searches: readonly Query[],
): Promise<number[]> {
  const sides = contenders.map(
    ({ run }) =>
      (turn: number) =>
        timed(() => run(searches[turn]!)),
  )
  return (await alternate(searches.length, ...sides)).map(median)
}

/** Searches of the product with an API key. */
export const createSearchContender = (
  name: string,
  url: string,
  key: string,
): Contender<Pick<SearchQuery, 'body'>> => ({
  name,
  run: ({ body }) => post(`${url}/assets/stac/search`, body, { authorization: `Bearer ${key}` }),
})

/** So many searches of two kinds that the servers run optimized code, as they do after their first minute. */
export async function warmUp(
  contenders: readonly Contender<SearchQuery>[],
  items: number,
  count: number,
): Promise<void> {
  for (const name of ['one id', 'one month']) await measureInTurns(contenders, createQueries(name, count, items, 6))
}

/** Medians of so many searches of a kind, after a quarter of them as warm-up. */
export async function measureKind(
  contenders: readonly Contender<SearchQuery>[],
  name: string,
  items: number,
  count: number,
): Promise<number[]> {
  await measureInTurns(contenders, createQueries(name, Math.ceil(count / 4), items, 8))
  return measureInTurns(contenders, createQueries(name, count, items, 9))
}
