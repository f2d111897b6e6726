import { service } from './background.ts'
import type { Call, Principal } from './call.ts'
import type { Claim } from './once.ts'
import type { CallRequest } from './pipeline.ts'
import { Problem } from './problem.ts'
import type { Blobs } from '../platform/blobs/blobs.ts'
import type { OrganizationClock, OrganizationClocks } from '../platform/clock.ts'
import type { Database, Db, Tx } from '../platform/database/database.ts'
import type { Outside } from '../platform/outside/outside.ts'
import type { PasswordHasher } from '../platform/crypto/passwords.ts'
import type { Signer } from '../platform/crypto/signer.ts'
import type { Quotas } from '../platform/quotas.ts'
import type { RateLimiter, RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import type { Queue } from '../platform/queue/queue.ts'
import type { Seller } from '../platform/seller.ts'

/** What all calls of an application share. */
export interface CallGround {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly outside: Outside
  readonly blobs: Blobs
  readonly queue: Queue
  readonly seller: Seller
  readonly quotas: Quotas
  readonly rates: RateLimiter
  readonly signer: Signer
  readonly passwords: PasswordHasher
}

/**
 * The context of one call. It is a class because its database connections are created on demand: getters in an object
 * literal would give every call its own hidden class in V8, which costs more than all the rest of a small call.
 */
export class OpenCall implements Call {
  readonly operation: string
  readonly principal: Principal
  readonly claim: Claim | null
  readonly clocks: OrganizationClocks
  readonly outside: Outside
  readonly blobs: Blobs
  readonly queue: Queue
  readonly seller: Seller
  readonly quotas: Quotas
  readonly rates: RateLimiter
  readonly signer: Signer
  readonly passwords: PasswordHasher
  private readonly ground: CallGround
  private readonly request: CallRequest

  constructor(ground: CallGround, request: CallRequest, principal: Principal, operation: string, claim: Claim | null) {
    this.operation = operation
    this.principal = principal
    this.claim = claim
    this.clocks = ground.clock
    this.outside = ground.outside
    this.blobs = ground.blobs
    this.queue = ground.queue
    this.seller = ground.seller
    this.quotas = ground.quotas
    this.rates = ground.rates
    this.signer = ground.signer
    this.passwords = ground.passwords
    this.ground = ground
    this.request = request
  }

  get organization(): string {
    const { organization } = this.principal
    if (organization === null) throw new Problem('no-organization', 'You do not belong to an organization.')
    return organization
  }

  get clock(): OrganizationClock {
    return this.clocks.of(this.organization)
  }

  get db(): Db {
    return this.ground.database.of(this.organization)
  }

  get searchDb(): Db {
    return this.ground.database.searchOf(this.organization)
  }

  get across(): Db {
    return this.ground.database.across
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.db.transaction(work)
  }

  within(organization: string): Call {
    const principal = { ...service, organization }
    return new OpenCall(this.ground, this.request, principal, this.operation, null)
  }

  reserve(bytes: number): void {
    this.request.reserve?.(bytes)
  }

  tellLimits(states: readonly RateLimitState[]): void {
    this.request.tellLimits?.(states)
  }

  get origin(): string {
    return this.request.origin
  }

  get requestId(): string {
    return this.request.requestId
  }

  get ifNoneMatch(): string | null {
    return this.request.ifNoneMatch ?? null
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
