import type { OrderPlacement } from '../order-checks.ts'
import type { ServerProcess } from '../server-process.ts'
import type { FaultyPostgres, FaultyObjectStore } from './services.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** The services that may fail, and everything that callers have sent so far. */
export interface FaultsFixture {
  readonly postgres: FaultyPostgres
  readonly store: FaultyObjectStore
  readonly to_postgres: TcpProxy
  readonly to_store: TcpProxy
  /** Processes of the product with one database and one object store, each on a fixed port. */
  readonly servers: { readonly environment: Readonly<Record<string, string>>; process: ServerProcess }[]
  readonly workload: FaultsWorkload
}

export interface FaultsWorkload {
  token: string
  readonly project: string
  readonly image: Uint8Array<ArrayBuffer>
  readonly offers: readonly { readonly captures: readonly object[]; readonly credits: number }[]
  /** Orders, sent again with their key until they get a response. */
  readonly placements: OrderPlacement[]
  /** Upload sessions that were completed or are being ingested. */
  readonly uploads: string[]
}

export const serverUrlFrom = (environment: Readonly<Record<string, string>>): string =>
  `http://127.0.0.1:${environment['PORT']}`

export const pickServerUrl = ({ servers }: FaultsFixture, turn: number): string =>
  serverUrlFrom(servers[turn % servers.length]!.environment)
