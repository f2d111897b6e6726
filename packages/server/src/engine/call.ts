import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { ApiKeyPermissionFlag } from '@swath/contract/scopes.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { OrganizationClock, OrganizationClocks } from '../platform/clock.ts'
import type { DbConnection, Tx } from '../platform/database/database.ts'
import type { Integrations } from '../platform/integrations/integrations.ts'
import type { PasswordHasher } from '../platform/crypto/passwords.ts'
import type { MasterSecretSigner } from '../platform/crypto/signer.ts'
import type { OperationQuotas } from '../platform/quotas.ts'
import type { RateLimiter, RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import type { QueueAdministration, QueueProducer } from '../platform/queue/queue.ts'
import type { PlanName } from '../platform/setting-types.ts'
import type { SellerSettings } from '../platform/seller.ts'
import type { CallLog } from './call-log.ts'
import type { IdempotencyClaim } from './idempotency.ts'
import type { SandboxWorkRunner } from './sandbox-run.ts'
import type { ServiceContainer } from './process-services.ts'

/** The caller. `id` is that of the user, the API key or the service; every write is attributed to it. */
export interface Principal {
  readonly kind: 'human' | 'api_key' | 'service' | 'worker'
  readonly id: string
  /** The user behind it: a human's own id, the issuer of an API key, null for a service. */
  readonly user: string | null
  readonly organization: string | null
  /** Role in the organization; null for services and for API keys (whose flags are their permissions). */
  readonly role: OrganizationRole | null
  /** Role of the issuer of an API key when its token was looked up: a hint, not a permission. */
  readonly issuer_role?: OrganizationRole | null
  readonly scopes: readonly string[]
  /** Those of the API key itself, for a token that has some of them: what its flags cover it does not have by name. */
  readonly key_scopes?: readonly string[]
  /** The id of the personal access token of the caller, if it is one. */
  readonly personal_token?: string
  /** The program of others that acts for this user, with consent for one organization. */
  readonly program?: string
  /** True for an OAuth client that acts for its organization: it may do what an API key may. */
  readonly oauth_client?: boolean
  readonly flags?: readonly ApiKeyPermissionFlag[]
  readonly administrator: boolean
  /**
   * The organization whose provider the user signed in with. Such a session is for that organization alone: it neither reads nor changes
   * what the user has elsewhere, nor how the user signs in.
   */
  readonly provider_organization?: string
  /** The operator who reads as this user; such a principal can call reads only. */
  readonly impersonator?: string
  /** The plan of the organization when the token was looked up; `free` if absent. */
  readonly plan?: PlanName
  /** The subjects whose changes end the token of the caller: `session:…`, `key:…`, `user:…`, `organization:…`. */
  readonly token_subjects?: readonly string[]
  /** Calls per minute of an API key that has a limit of its own. */
  readonly rate_limit?: number
  /** The only operations that the token of a worker may call; absent for other principals, whom their scopes limit. */
  readonly operations?: readonly string[]
  /** The only resource that a tile token in a URL gives access to; absent for other principals, who see their projects. */
  readonly restriction?: ResourceRestriction
}

/** One item, or all items of one collection. */
export type ResourceRestriction = { readonly item: string } | { readonly collection: string }

/** The caller and its request. */
export interface CallerRequest {
  readonly operation: string
  readonly principal: Principal
  /** The caller's organization; throws `no-organization` if there is none. */
  readonly organization: string
  readonly requestId: string
  /** The URL that clients use, without a trailing slash. */
  readonly baseUrl: string
  readonly signal: AbortSignal
  /** The client's IPv4 address, or the /64 block of its IPv6 address: what rate limits count by. */
  readonly rateLimitKey: string
  /** The `If-None-Match` header: entity tags of the representations that the client has, which need not be computed again. */
  readonly ifNoneMatch?: string | null
  /** The `Last-Event-ID` header: the last event of a stream that the client received before it connected again. */
  readonly lastEventId?: string | null
  /** The format of images for callers that accept any; absent where the route has none. */
  readonly preferredImageFormat?: 'png' | 'jpeg' | null
  /** Collects the fields of the one log line of this call. */
  readonly log: CallLog
  /** Adds the state of rate limits that the operation itself counted to the response headers. */
  reportRateLimits(states: readonly RateLimitState[]): void
  /**
   * Reserves memory for a large response before it is read from the database; released once the response has been sent.
   * Throws `rate-limited` if the organization has reached its limit of response bytes in flight.
   */
  reserveResponseBytes(bytes: number): void
}

/** The data that a call may read and write, and its time. */
export interface CallData {
  /** Bound to the caller's organization by row-level security. */
  readonly db: DbConnection
  /**
   * For the spatial search of items only (`Database.forItemSearch`): statements must filter by organization themselves.
   */
  readonly itemSearchDb: DbConnection
  /** Bound to no organization: only for modules that `boundaries.ts` lists. */
  readonly unscoped: DbConnection
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** True if transactions are rolled back: no request may reach other systems, such as payment processors. */
  readonly isDryRun: boolean
  /** The idempotency claim of this call, if it has an idempotency key. */
  readonly claim: IdempotencyClaim | null
  /** The clock of the caller's organization; throws `no-organization` if there is none. */
  readonly clock: OrganizationClock
  /** Clocks of all organizations, for operators. */
  readonly clocks: OrganizationClocks
}

/** The services that calls and tasks share. */
export interface SharedServices {
  readonly integrations: Integrations
  readonly blobs: BlobStore
  readonly processServices: ServiceContainer
  readonly queue: QueueProducer
  /** The company that issues invoices and other documents. */
  readonly seller: SellerSettings
  readonly quotas: OperationQuotas
}

/** The services of calls alone. */
export interface CallServices {
  /** The task queue, for operators. */
  readonly operatedQueue: QueueAdministration
  /** Runs the background work of sandbox organizations. */
  readonly sandboxRunner: SandboxWorkRunner
  readonly rateLimiter: RateLimiter
  readonly signer: MasterSecretSigner
  readonly passwords: PasswordHasher
}

/** The context of one call: everything that an operation may use, and nothing else. A function takes the part that it uses. */
export interface Call extends CallerRequest, CallData, SharedServices, CallServices {
  /** The same call, each of whose transactions is rolled back after `inspect` has read its writes. */
  asDryRun(inspect: (tx: Tx) => Promise<void>): Call
  /**
   * The same call as the service principal of an organization: for callers who presented a secret of it, such as the
   * token of a share link. Only for modules that `boundaries.ts` lists.
   */
  asOrganization(organization: string): Call
}

/** The members of a call that a purchase needs; a background task that buys as a user has them, too. */
export type PurchaseCall = Pick<
  Call,
  | 'operation'
  | 'principal'
  | 'organization'
  | 'db'
  | 'transaction'
  | 'isDryRun'
  | 'claim'
  | 'clock'
  | 'requestId'
  | 'baseUrl'
  | 'signal'
  | 'integrations'
  | 'processServices'
  | 'queue'
>
