import type { Call, Principal } from './call.ts'
import type { Claim } from './once.ts'
import type { CallRequest } from './pipeline.ts'
import { Problem } from './problem.ts'
import type { Blobs } from '../platform/blobs/blobs.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Db, Tx } from '../platform/database/database.ts'
import type { Outside } from '../platform/outside/outside.ts'
import type { Queue } from '../platform/queue/queue.ts'
import type { Seller } from '../platform/seller.ts'

/** What all calls of a house share. */
export interface CallGround {
  readonly database: Database
  readonly clock: Clock
  readonly outside: Outside
  readonly blobs: Blobs
  readonly queue: Queue
  readonly seller: Seller
}

/**
 * A call with everything that it may use. A class, because its handles are made when they are asked for: getters written into an object
 * literal would give every call a shape of its own, which costs more than all the rest of a small call.
 */
export class OpenCall implements Call {
  readonly operation: string
  readonly principal: Principal
  readonly claim: Claim | null
  readonly clock: Clock
  readonly outside: Outside
  readonly blobs: Blobs
  readonly queue: Queue
  readonly seller: Seller
  private readonly database: Database
  private readonly request: CallRequest

  constructor(ground: CallGround, request: CallRequest, principal: Principal, operation: string, claim: Claim | null) {
    this.operation = operation
    this.principal = principal
    this.claim = claim
    this.clock = ground.clock
    this.outside = ground.outside
    this.blobs = ground.blobs
    this.queue = ground.queue
    this.seller = ground.seller
    this.database = ground.database
    this.request = request
  }

  get organization(): string {
    const { organization } = this.principal
    if (organization === null) throw new Problem('no-organization', 'You belong to no organization.')
    return organization
  }

  get db(): Db {
    return this.database.of(this.organization)
  }

  get searchDb(): Db {
    return this.database.searchOf(this.organization)
  }

  get across(): Db {
    return this.database.across
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.db.transaction(work)
  }

  get requestId(): string {
    return this.request.requestId
  }

  get baseUrl(): string {
    return this.request.baseUrl
  }

  get log(): Call['log'] {
    return this.request.log
  }

  get signal(): AbortSignal {
    return this.request.signal
  }
}
