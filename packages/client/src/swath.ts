import { createToken, type SignIn } from './auth/sign-in.ts'
import type { TokenStore } from './auth/token-source.ts'
import { createClient, type CallOptions, type Client, type ClientOptions, type EventStreamOptions } from './client.ts'
import { problemClasses } from './errors/problem-classes.ts'
import { ProblemError } from './errors/problem-error.ts'
import { manifest, type ManifestRow, type OperationId } from './operations.ts'
import { createPagedCall, type PagedCall } from './paging/paged-call.ts'
import { spendsWithoutPrice, type OperationTree } from './operation-tree.ts'
import type { ProblemConstructor } from './problem.ts'
import { withSpendOptions, type SpendOptions } from './spends.ts'
import { followEvents } from './streams/follow-events.ts'

export interface SwathOptions extends Omit<ClientOptions, 'token' | 'chooseProblem'> {
  /** Default null: public operations only. */
  readonly auth?: SignIn
  /** Where a session is kept; default in memory. */
  readonly tokenStore?: TokenStore
  /** Every call that spends credits must have a price, a bound or be a dry run; else it throws `PriceRequiredError`. */
  readonly requirePrice?: boolean
}

/** The platform: its operations as a tree by id, and the client that calls them. */
export interface Swath extends OperationTree {
  readonly client: Client
}

const default_max_retries = 4
const default_timeout_ms = 120_000

/**
 * Connects to a platform: `swath.orders.archive.place(input)` calls `orders.archive.place`. Nothing is sent before the first call.
 *
 * Reads are repeated after lost connections, outages and rate limits; so are writes that accept an idempotency key, which they get
 * by themselves. Problems are errors of their classes, such as `InsufficientCreditsError`.
 */
export function createSwath({ auth = null, tokenStore, requirePrice = false, ...options }: SwathOptions): Swath {
  const { baseUrl, fetch } = options
  const base = createClient({
    ...options,
    maxRetries: options.maxRetries ?? default_max_retries,
    timeout_ms: options.timeout_ms ?? default_timeout_ms,
    token: createToken({ baseUrl, fetch }, auth, tokenStore),
    chooseProblem,
  })
  return createSwathOver(base, { requirePrice })
}

/** The tree over another client, which keeps its token, its limits and its problems. */
export function createSwathOver(
  base: Client,
  { requirePrice = false }: Pick<SwathOptions, 'requirePrice'> = {},
): Swath {
  const client = createSafeClient(base, requirePrice)
  const root: Record<string, unknown> = { client }
  for (const [id, [, paging, kind]] of Object.entries(manifest)) {
    const method = createMethod(client, id, paging, kind)
    const parts = id.split('.')
    const name = parts.pop()!
    const parent = parts.reduce((node, part) => (node[part] ??= {}) as Record<string, unknown>, root)
    // `catalog.search` is a method with `catalog.search.list`.
    parent[name] = Object.assign(method, parent[name])
  }
  return root as unknown as Swath
}

const chooseProblem = (problem: string): ProblemConstructor =>
  Object.hasOwn(problemClasses, problem) ? problemClasses[problem]! : ProblemError

const rowOf = (operation: string): ManifestRow | undefined =>
  Object.hasOwn(manifest, operation) ? manifest[operation as OperationId] : undefined

/** The client whose calls have what the manifest says of their operation: whether they are reads, keys, prices. */
function createSafeClient(base: Client, requirePrice: boolean): Client {
  const prepare = (operation: string, input: object = {}, options: SpendOptions = {}) => {
    const { dryRun, maxCredits, price, idempotencyKey, ...callOptions } = options
    const row = rowOf(operation)
    const [effect, , , isIdempotent] = row ?? []
    // What a newer platform has, and this package does not know, may spend.
    const isPriced = !row || (effect === 'spend' && !spendsWithoutPrice.includes(operation))
    if (price && !isPriced)
      throw new TypeError(`${operation} has no price that a call could be bound to: call it without one.`)
    const prepared: CallOptions = {
      ...(effect === 'read' ? { isRead: true } : {}),
      ...callOptions,
      // With a key that the operation does not look at, a write would be repeated.
      ...(isIdempotent ? { idempotencyKey: idempotencyKey ?? crypto.randomUUID() } : {}),
      ...(!row && idempotencyKey !== undefined ? { idempotencyKey } : {}),
    }
    const spend = { dryRun, maxCredits, price }
    return [isPriced ? withSpendOptions(operation, { ...input }, spend, requirePrice) : input, prepared] as const
  }
  return {
    ...base,
    call: async <Output>(operation: string, input?: object, options?: CallOptions) =>
      base.call<Output>(operation, ...prepare(operation, input, options)),
    bytes: async (operation, input, options) => base.bytes(operation, ...prepare(operation, input, options)),
    lines: (operation, input, options) => base.lines(operation, ...prepare(operation, input, options)),
    events: <Event>(operation: string, input: object = {}, options: EventStreamOptions = {}) =>
      operation === 'events.stream'
        ? followEvents<Event>(base, { ...input }, options, chooseProblem)
        : base.events<Event>(operation, ...prepare(operation, input, options)),
  }
}

type Method = (input?: object, options?: CallOptions) => Promise<unknown> | AsyncGenerator | PagedCall<object, unknown>

function createMethod(client: Client, id: string, paging: ManifestRow[1], kind: ManifestRow[2]): Method {
  if (kind === 'bytes') return (input, options) => client.bytes(id, input, options)
  if (kind === 'ndjson') return (input, options) => client.lines(id, input, options)
  if (kind === 'event-stream') return (input, options) => client.events(id, input, options)
  if (paging === null) return (input, options) => client.call(id, input, options)
  return (input, options) => createPagedCall((page) => client.call<object>(id, page, options), { ...input }, paging)
}
