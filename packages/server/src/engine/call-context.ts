import { platformPrincipal } from './task-definition.ts'
import type { Call, CallServices, Principal, SharedServices } from './call.ts'
import { attachAuditToConnection, type CallAudit } from './call-audit.ts'
import type { IdempotencyClaim } from './idempotency.ts'
import type { CallRecords, CallRequest } from './pipeline/call-request.ts'
import type { SandboxWorkRunner } from './sandbox-run.ts'
import type { ServiceContainer } from './process-services.ts'
import { requireOrganization } from './principal.ts'
import { runAndRollBack } from '../platform/database/run-and-roll-back.ts'
import type { BlobStore } from '../platform/blobs/blobs.ts'
import type { OrganizationClock, OrganizationClocks } from '../platform/clock.ts'
import type { Database, DbConnection, Tx } from '../platform/database/database.ts'
import { selectOrganizationIntegrations, type Integrations } from '../platform/integrations/integrations.ts'
import type { PasswordHasher } from '../platform/crypto/passwords.ts'
import type { MasterSecretSigner } from '../platform/crypto/signer.ts'
import type { OperationQuotas } from '../platform/quotas.ts'
import type { RateLimiter, RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import type { QueueAdministration, QueueProducer } from '../platform/queue/queue.ts'
import type { SellerSettings } from '../platform/seller.ts'

/** The dependencies that all calls of an application share. */
export interface CallDependencies extends SharedServices, Omit<CallServices, 'operatedQueue'> {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly queue: QueueProducer & QueueAdministration
}

/**
 * The context of one call. It is a class because its database connections are created on demand: getters in an object
 * literal would give every call its own hidden class in V8, which costs more than all the rest of a small call.
 */
export class CallContext implements Call {
  readonly operation: string
  readonly principal: Principal
  readonly claim: IdempotencyClaim | null
  readonly clocks: OrganizationClocks
  readonly integrations: Integrations
  readonly blobs: BlobStore
  readonly processServices: ServiceContainer
  readonly queue: QueueProducer
  readonly operatedQueue: QueueAdministration
  readonly sandboxRunner: SandboxWorkRunner
  readonly seller: SellerSettings
  readonly quotas: OperationQuotas
  readonly rateLimiter: RateLimiter
  readonly signer: MasterSecretSigner
  readonly passwords: PasswordHasher
  private readonly dependencies: CallDependencies
  private readonly request: CallRequest
  private readonly audit: CallAudit | null
  private readonly inspectDryRun: ((tx: Tx) => Promise<void>) | null

  // oxlint-disable-next-line max-params -- made in each call: no object for it
  constructor(
    dependencies: CallDependencies,
    request: CallRequest,
    principal: Principal,
    operation: string,
    { claim, audit }: CallRecords,
    inspectDryRun: ((tx: Tx) => Promise<void>) | null = null,
  ) {
    this.operation = operation
    this.principal = principal
    this.claim = claim
    this.clocks = dependencies.clock
    this.integrations = selectOrganizationIntegrations(dependencies.integrations, principal.organization)
    this.blobs = dependencies.blobs
    this.processServices = dependencies.processServices
    this.queue = dependencies.queue
    this.operatedQueue = dependencies.queue
    this.sandboxRunner = dependencies.sandboxRunner
    this.seller = dependencies.seller
    this.quotas = dependencies.quotas
    this.rateLimiter = dependencies.rateLimiter
    this.signer = dependencies.signer
    this.passwords = dependencies.passwords
    this.dependencies = dependencies
    this.request = request
    this.audit = audit
    this.inspectDryRun = inspectDryRun
  }

  get organization(): string {
    return requireOrganization(this.principal)
  }

  get clock(): OrganizationClock {
    return this.clocks.forOrganization(this.organization)
  }

  get db(): DbConnection {
    return attachAuditToConnection(this.audit, this.dependencies.database.forOrganization(this.organization))
  }

  get itemSearchDb(): DbConnection {
    return this.dependencies.database.forItemSearch(this.organization)
  }

  get unscoped(): DbConnection {
    return attachAuditToConnection(this.audit, this.dependencies.database.unscoped)
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.inspectDryRun) return runAndRollBack(this.db, work, this.inspectDryRun)
    return this.db.transaction(work)
  }

  get isDryRun(): boolean {
    return this.inspectDryRun !== null
  }

  asDryRun(inspect: (tx: Tx) => Promise<void>): Call {
    const records = { claim: this.claim, audit: null }
    return new CallContext(this.dependencies, this.request, this.principal, this.operation, records, inspect)
  }

  asOrganization(organization: string): Call {
    const principal = { ...platformPrincipal, organization }
    this.audit?.setOrganization(organization)
    return new CallContext(this.dependencies, this.request, principal, this.operation, {
      claim: null,
      audit: this.audit,
    })
  }

  reserveResponseBytes(bytes: number): void {
    this.request.reserveResponseBytes?.(bytes)
  }

  reportRateLimits(states: readonly RateLimitState[]): void {
    this.request.reportRateLimits?.(states)
  }

  get rateLimitKey(): string {
    return this.request.rateLimitKey
  }

  get requestId(): string {
    return this.request.requestId
  }

  get ifNoneMatch(): string | null {
    return this.request.ifNoneMatch ?? null
  }

  get lastEventId(): string | null {
    return this.request.lastEventId ?? null
  }

  get preferredImageFormat(): 'png' | 'jpeg' | null {
    return this.request.preferredImageFormat ?? null
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
