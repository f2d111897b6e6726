import type { KeyFlag } from '@swath/contract/scopes.ts'
import type { Blobs } from '../platform/blobs/blobs.ts'
import type { OrganizationClock, OrganizationClocks } from '../platform/clock.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { Outside } from '../platform/outside/outside.ts'
import type { PasswordHasher } from '../platform/crypto/passwords.ts'
import type { Signer } from '../platform/crypto/signer.ts'
import type { Quotas } from '../platform/quotas.ts'
import type { RateLimiter, RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import type { Queue } from '../platform/queue/queue.ts'
import type { PlanName } from '../platform/setting-kinds.ts'
import type { Seller } from '../platform/seller.ts'
import type { CallLog } from './observe.ts'
import type { Claim } from './once.ts'

export type OrganizationRole = 'owner' | 'admin' | 'member' | 'billing'

/** Who calls. `id` is the user's, the key's or the service's; every write is attributed to it. */
export interface Principal {
  readonly kind: 'human' | 'api_key' | 'service' | 'worker'
  readonly id: string
  /** The person behind it: a human's own id, the issuer of an API key, null for a service. */
  readonly user: string | null
  readonly organization: string | null
  /** Role in the organization; null for services, and for keys (whose flags say what they may). */
  readonly role: OrganizationRole | null
  readonly scopes: readonly string[]
  readonly flags?: readonly KeyFlag[]
  readonly administrator: boolean
  /** The plan of the organization when the token was looked up; `free` where it is not said. */
  readonly plan?: PlanName
  /** Calls a minute of an API key that has a limit of its own. */
  readonly rate_limit?: number
  /** All that a token in the address of a map opens; null for everybody else, who see what their projects hold. */
  readonly confined?: Confines
}

/** One item, or the items of one collection. */
export type Confines = { readonly item: string } | { readonly collection: string }

/** What an operation may use: all of it and nothing else. */
export interface Call {
  readonly operation: string
  readonly principal: Principal
  /** The caller's organization; throws `no-organization` where there is none. */
  readonly organization: string
  /** Bound to the caller's organization by row-level security. */
  readonly db: Db
  /** For the spatial search of items only (`Database.searchOf`): every statement on it names the organization itself. */
  readonly searchDb: Db
  /** Bound to no organization: only for rooms that `boundaries.ts` lists. */
  readonly across: Db
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** The idempotency claim of this call, when it has one. */
  readonly claim: Claim | null
  /** Of the caller's organization; throws `no-organization` where there is none. */
  readonly clock: OrganizationClock
  /** Of other organizations, for operators. */
  readonly clocks: OrganizationClocks
  readonly requestId: string
  /** The address that clients use, without a slash at its end. */
  readonly baseUrl: string
  /** Facts about the call for its one log line. */
  readonly log: CallLog
  readonly signal: AbortSignal
  /** Tags of answers that the caller holds, as the header has them: what they name need not be made again. */
  readonly ifNoneMatch?: string | null
  readonly outside: Outside
  readonly blobs: Blobs
  readonly queue: Queue
  /** In whose name documents are issued. */
  readonly seller: Seller
  /** Whence the call came, as what is counted: an IPv4 address, or the block of an IPv6 one. */
  readonly origin: string
  readonly quotas: Quotas
  readonly rates: RateLimiter
  /** Says in the headers of the answer how limits stand that the operation itself counted this call against. */
  tellLimits(states: readonly RateLimitState[]): void
  readonly signer: Signer
  readonly passwords: PasswordHasher
  /**
   * Finds room for a large answer before it is read from the database; it is given back when the answer has been sent. Throws
   * `rate-limited` where the organization is sent as many bytes already as it may be at once.
   */
  reserve(bytes: number): void
  /**
   * The same call as the service's own in an organization: for callers who have shown a secret of it, such as the token
   * of a share link. Only for rooms that `boundaries.ts` lists.
   */
  within(organization: string): Call
}
