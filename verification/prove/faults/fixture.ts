import type { Offer, OrderPlacement } from '../harness/orders.ts'
import type { ServerProcess } from '../harness/server-process.ts'
import type { FaultyPostgres, FaultyObjectStore } from './services.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** The services that may fail, and everything that callers have sent so far. */
export interface FaultsFixture {
  readonly postgres: FaultyPostgres
  readonly store: FaultyObjectStore
  readonly to_postgres: TcpProxy
  readonly to_store: TcpProxy
  /** Processes of the product with one database and one object store, each on a fixed port. */
  readonly servers: readonly ServerProcess[]
  readonly workload: FaultsWorkload
}

export interface FaultsWorkload {
  token: string
  readonly project: string
  readonly image: Uint8Array<ArrayBuffer>
  readonly offers: readonly Offer[]
  /** Orders, sent again with their key until they get a response. */
  readonly placements: OrderPlacement[]
  /** Upload sessions that were completed or are being ingested. */
  readonly uploads: string[]
}

export const pickServer = ({ servers }: FaultsFixture, turn: number): ServerProcess => servers[turn % servers.length]!
