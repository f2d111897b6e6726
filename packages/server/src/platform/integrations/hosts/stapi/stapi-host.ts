import { monotonic_ms } from '../../../clock.ts'
import { HostRefusal, type HostOrderDelivery, type ImageryHost } from '../../imagery-host.ts'
import type {
  HostTaskStatus,
  TaskingHostEnvironment,
  TaskingHost,
  TaskingProduct,
  TaskingRequest,
} from '../../tasking-host.ts'
import { createFailureCache, HostApiError } from '../request-host-json.ts'
import type { ReadonlyJsonObject } from '../stac-item.ts'
import { describeProvider, type ProviderDescription } from './describe-provider.ts'
import { readOrderedScene, type OrderedScene } from './order-files.ts'
import { buildStapiOrderUrl, placeStapiOrder } from './place-order.ts'
import { searchStapiOpportunities } from './search-opportunities.ts'
import type { OfferedProduct } from './search-parameters.ts'
import { createStapiClient, readStapiLinks, type StapiClient } from './stapi-client.ts'
import {
  default_stapi_limits,
  type StapiHostDependencies,
  type StapiHostLimits,
  type StapiHostRow,
  type StapiProductRow,
} from './stapi-row.ts'
import { terminalUndeliveredHostTaskStages, readStapiOrderState, type StapiOrderState } from './task-status.ts'

/** Opens a STAPI provider, without a request to it. It acquires on order and has no archive. */
export function createStapiHost(row: StapiHostRow, dependencies: StapiHostDependencies): ImageryHost {
  const limits = { ...default_stapi_limits, ...dependencies.limits }
  const client = createStapiClient(row, dependencies, limits)
  const provider = createProviderReader(row, client, limits)
  const orders = createOrderReader(row, { client, provider, clock: dependencies.clock })
  const { url: _url, signing: _signing, token_origins: _origins, sensors, products, ...metadata } = row

  const findOffered = async (request: TaskingRequest, signal?: AbortSignal): Promise<OfferedProduct> => {
    const product = (await provider.read(signal)).products.get(request.product)
    const productRow = products.find(({ id }) => id === request.product)
    if (!product || !productRow) throw new HostRefusal(`The provider does not offer the product "${request.product}".`)
    return { row: productRow, product }
  }

  const tasking: TaskingHost = {
    sensors,
    get products() {
      return provider.offeredProducts()
    },
    async opportunities(world, request, signal) {
      if (!isLive(world)) return []
      const found = await searchStapiOpportunities(client, await findOffered(request, signal), request, signal)
      return found.map(({ opportunity }) => opportunity)
    },
    async placeTask(world, task, signal) {
      requireLive(world)
      const offered = await findOffered(task.request, signal)
      const { orders_url } = await provider.read(signal)
      return { reference: await placeStapiOrder({ client, offered, orders_url }, task, signal) }
    },
    async taskStatus(world, reference, signal) {
      const status = await orders.readStatus(reference, signal)
      const isLast = status.stage === 'ready' || terminalUndeliveredHostTaskStages.has(status.stage)
      const next_change_at = isLast ? null : new Date(world.now.getTime() + row.poll_s * 1000)
      return { ...status, next_change_at }
    },
    cancelTask: (_world, reference, signal) => orders.cancel(reference, signal),
  }

  return {
    ...metadata,
    collections: [],
    delivers_later: true,
    orders_for_money: true,
    check: provider.check,
    search: async () => [],
    quicklook: async () => null,
    place: async () => {
      throw new HostRefusal('The host takes tasks; it has no archive to order from.')
    },
    deliveries: (reference, signal) => orders.readDelivery(reference, signal),
    tasking,
  }
}

const isLive = ({ id }: TaskingHostEnvironment): boolean => id === 'live'

/** Satellites that exist cost real money and know no virtual time. */
function requireLive(world: TaskingHostEnvironment): void {
  if (!isLive(world)) throw new HostRefusal('The provider takes no tasks of sandbox organizations.')
}

/** Reads what a provider offers once for all callers, and again when that is old. */
function createProviderReader(row: StapiHostRow, client: StapiClient, limits: StapiHostLimits) {
  const failures = createFailureCache(limits.failure_ms)
  let state: { readonly description: ProviderDescription; readonly read_at_ms: number } | null = null
  let reading: Promise<ProviderDescription> | null = null
  const productIds = row.products.map(({ id }) => id)

  const readProvider = async (): Promise<ProviderDescription> => {
    try {
      const description = await describeProvider(client, { url: row.url, productIds })
      state = { description, read_at_ms: monotonic_ms() }
      failures.clear()
      return description
    } catch (error) {
      failures.record(error)
      throw error
    }
  }
  const refresh = (): Promise<ProviderDescription> => {
    // Shared by all waiting callers, so no single caller's signal aborts it.
    reading ??= readProvider().finally(() => {
      reading = null
    })
    return reading
  }
  const isOld = (read_at_ms: number): boolean => monotonic_ms() - read_at_ms > limits.description_ms
  return {
    /** The products of the operator that the provider has; all of them before its first response. */
    offeredProducts: (): readonly TaskingProduct[] =>
      row.products
        .filter(({ id }) => !state || state.description.products.has(id))
        .map((product) => toTaskingProduct(product, state?.description ?? null)),
    async read(signal?: AbortSignal): Promise<ProviderDescription> {
      if (state && isOld(state.read_at_ms)) refresh().catch(() => undefined)
      if (state) return state.description
      failures.throwIfRecent()
      signal?.throwIfAborted()
      return refresh()
    },
    /** Asks the provider now, unless it failed a moment ago. */
    async check(signal?: AbortSignal): Promise<void> {
      failures.throwIfRecent()
      if (!state || isOld(state.read_at_ms)) return void (await refresh())
      try {
        await client.get(row.url, signal)
      } catch (error) {
        failures.record(error)
        throw error
      }
    },
  }
}

function toTaskingProduct(
  { queryables: _queryables, order_parameters: _parameters, reference_parameter: _reference, ...row }: StapiProductRow,
  description: ProviderDescription | null,
): TaskingProduct {
  const product = description?.products.get(row.id)
  const title = row.title ?? product?.title ?? row.id
  return { ...row, title, description: row.description ?? product?.description ?? title }
}

interface OrderReaderContext {
  readonly client: StapiClient
  readonly provider: ReturnType<typeof createProviderReader>
  readonly clock: StapiHostDependencies['clock']
}

/** The state, files and cancellation of orders by their id at the provider. */
function createOrderReader(row: StapiHostRow, { client, provider, clock }: OrderReaderContext) {
  interface ReadOrder {
    readonly order: ReadonlyJsonObject
    readonly order_url: string
    readonly state: StapiOrderState
  }
  const readOrder = async (id: string, signal?: AbortSignal): Promise<ReadOrder> => {
    const order_url = buildStapiOrderUrl((await provider.read(signal)).orders_url, id)
    const order = await client.get(order_url, signal)
    return { order, order_url, state: readStapiOrderState(order) }
  }
  /** Files may follow the status; an order without them for too long failed. */
  const readFiles = async (
    { order, order_url, state }: ReadOrder,
    signal?: AbortSignal,
  ): Promise<OrderedScene | 'waiting' | 'missing'> => {
    const delivered = await readOrderedScene({ client, row, order, order_url }, signal)
    if (delivered) return delivered
    const since_ms = state.since?.getTime() ?? 0
    return clock.now().getTime() - since_ms < row.delivery_grace_h * 3_600_000 ? 'waiting' : 'missing'
  }
  const noFiles = 'The provider completed the order and names no file that can be delivered.'
  return {
    async readStatus(id: string, signal?: AbortSignal): Promise<Omit<HostTaskStatus, 'next_change_at'>> {
      const read = await readOrder(id, signal)
      const { since: _since, ...state } = read.state
      const status = { ...state, collects: [], scene: null }
      if (state.stage !== 'ready') return status
      const files = await readFiles(read, signal)
      if (files === 'waiting') return { ...status, stage: 'processing' }
      if (files === 'missing') return { ...status, stage: 'failed', reason_code: 'no_delivery', reason: noFiles }
      return { ...status, scene: files.scene }
    },
    async readDelivery(id: string, signal?: AbortSignal): Promise<HostOrderDelivery> {
      const read = await readOrder(id, signal)
      const { stage, reason } = read.state
      if (terminalUndeliveredHostTaskStages.has(stage))
        return { state: 'refused', reason: reason ?? `The provider ended the order as ${stage}.` }
      const files = stage === 'ready' ? await readFiles(read, signal) : 'waiting'
      if (files === 'waiting') return { state: 'waiting' }
      return files === 'missing' ? { state: 'refused', reason: noFiles } : { state: 'ready', files: files.files }
    },
    /** Cancels an order by the link `cancel`, which STAPI itself does not define. */
    async cancel(id: string, signal?: AbortSignal): Promise<void> {
      const { order, order_url, state } = await readOrder(id, signal)
      if (state.stage === 'cancelled') return
      const link = readStapiLinks(order, order_url).find(({ rel }) => rel === 'cancel')
      if (!link || terminalUndeliveredHostTaskStages.has(state.stage) || state.stage === 'ready')
        throw new HostRefusal('The provider does not cancel the order.')
      await requestCancellation(
        client,
        { url: link.href, method: link.method === 'DELETE' ? 'DELETE' : 'POST' },
        signal,
      )
    },
  }
}

async function requestCancellation(
  client: StapiClient,
  request: { readonly url: string; readonly method: 'POST' | 'DELETE' },
  signal?: AbortSignal,
): Promise<void> {
  try {
    await client.exchange(request, [200, 202, 204], signal)
  } catch (error) {
    const isRefused = error instanceof HostApiError && error.status >= 400 && error.status < 500 && error.status !== 429
    if (!isRefused) throw error
    throw new HostRefusal(`The provider does not cancel the order${error.reason ? `: ${error.reason}` : '.'}`)
  }
}
