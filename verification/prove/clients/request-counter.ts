import { startForwardingProxy } from '../harness/forwarding-proxy.ts'
import { closeAtEnd } from '../harness/resources.ts'

/** How often a kind of request was answered, and how often with success or a redirection. */
interface RequestCount {
  answered: number
  good: number
}

export interface RequestCounts {
  readonly kinds: ReadonlyMap<string, RequestCount>
  readonly serverErrors: readonly string[]
}

const max_good_status = 399
const min_error_status = 500

/** Ids in paths, which a kind of request does not name. */
const idPatterns: readonly (readonly [RegExp, string])[] = [
  [/(project-)?[\da-f]{8}-[\da-f-]{27}/g, '{id}'],
  [/(collections\/\{id\}\/items\/)[^/]+/g, '$1{id}'],
  [/\/blobs\/.*/g, '/blobs/…'],
]

/** Method and path of a request without ids and parameters. */
const describeRequest = (method: string, url: string): string =>
  `${method} ${idPatterns.reduce((path, [pattern, name]) => path.replaceAll(pattern, name), url.split('?')[0]!)}`

/** A proxy that counts what passes through it, by kind: also what programs read by other means than the HTTP library of their language. */
export async function startRequestCounter() {
  let kinds = new Map<string, RequestCount>()
  let serverErrors: string[] = []
  const proxy = await startForwardingProxy(({ method = 'GET', url = '/' }) => (status) => {
    const kind = describeRequest(method, url)
    const count = kinds.get(kind) ?? { answered: 0, good: 0 }
    count.answered += 1
    count.good += status <= max_good_status ? 1 : 0
    kinds.set(kind, count)
    if (status >= min_error_status) serverErrors.push(`${kind}: ${status}`)
  })
  /** The counts since the last call. */
  const takeCounts = (): RequestCounts => {
    const taken = { kinds, serverErrors }
    kinds = new Map()
    serverErrors = []
    return taken
  }
  return closeAtEnd({ ...proxy, takeCounts })
}
