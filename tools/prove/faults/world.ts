import type { Placement } from '../crash-books.ts'
import type { ServerProcess } from '../server-process.ts'
import type { FaultyPostgres, FaultyStore } from './services.ts'
import type { TcpProxy } from './tcp-proxy.ts'

/** Everything that may fail, and what was promised to callers so far. */
export interface World {
  readonly postgres: FaultyPostgres
  readonly store: FaultyStore
  readonly to_postgres: TcpProxy
  readonly to_store: TcpProxy
  /** Processes of the product on one database and one store, each at an address that it keeps. */
  readonly servers: { readonly environment: Readonly<Record<string, string>>; process: ServerProcess }[]
  readonly shop: Shop
}

export interface Shop {
  token: string
  readonly project: string
  readonly image: Uint8Array<ArrayBuffer>
  readonly offers: readonly { readonly captures: readonly object[]; readonly credits: number }[]
  /** Orders, sent again with their key until they are answered. */
  readonly placements: Placement[]
  /** Sessions of upload that were answered as complete or as being ingested. */
  readonly uploads: string[]
}

export const addressOf = (environment: Readonly<Record<string, string>>): string =>
  `http://127.0.0.1:${environment['PORT']}`

export const urlOf = ({ servers }: World, turn: number): string =>
  addressOf(servers[turn % servers.length]!.environment)
