import { revocationFeedServiceKey } from './domains/identity/revocation-feed.ts'
import { sandboxClockAdvancesKey } from './domains/sandbox/sandbox-advances.ts'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { recoverClaimedWork, backgroundTasks } from './domains/domains.ts'
import { bootstrapDeployment, type BootstrapResult } from './domains/identity/bootstrap.ts'
import { signInGuardServiceKey } from './domains/identity/account/sign-in-guard.ts'
import { createIdentityService, readClientOptions, type IdentityService } from './domains/identity/identity.ts'
import type { Actor } from './engine/actor.ts'
import { grantCredits } from './domains/ledger/ledger.ts'
import { createUsageMeters } from './domains/usage/meters.ts'
import { createEventDeliveryService } from './domains/event_subscriptions/delivery-service.ts'
import { openRenderableItemCache } from './domains/items/renderable-items.ts'
import { eventChannels } from './domains/events/event-channels.ts'
import { eventHandlers } from './domains/event-handlers.ts'
import { backgroundTaskSchedules } from './domains/schedules.ts'
import { toTaskDefinition } from './engine/task-definition.ts'
import type { CallPipelineDependencies, UndeclaredProblemListener } from './engine/pipeline/state.ts'
import { limitPasswordHashing } from './engine/concurrency-limits.ts'
import { releaseAbandonedIdempotencyClaims } from './engine/store.idempotency.ts'
import { createEmbeddedProcessorListener, createMonitoringServer, createServerWithRoutes } from './server-routes.ts'
import { openIntegrations } from './open-integrations.ts'
import { createCallPipelineDependencies } from './pipeline-dependencies.ts'
import { createServerMetrics } from './server-metrics.ts'
import { createTerminalApiKeys, type TerminalApiKeyService, type TerminalApiKeyState } from './terminal-keys.ts'
import {
  closeThreadServices,
  createProcessServices,
  createThreadServices,
  getPublicUrl,
  type Services,
  type ThreadServices,
} from './services.ts'
import { initialDatabaseContent } from './initial-content.ts'
import { openBlobStore } from './platform/blobs/open-blobs.ts'
import { findStorageIdentity, createStorageIdentity } from './platform/blobs/storage-identity.ts'
import { createSystemClock, type Clock, type OrganizationClocks } from './platform/clock.ts'
import { isSharedServer, listConfiguredSecrets, type Config } from './platform/config.ts'
import { loadMasterSecrets } from './platform/crypto/master-secret.ts'
import { createPasswordHasher, type PasswordHasher } from './platform/crypto/passwords.ts'
import { deriveKeys } from './platform/crypto/signatures.ts'
import type { KeyPairGenerator } from './platform/crypto/signing-keys.ts'
import { createMasterSecretSigner } from './platform/crypto/signer.ts'
import type { Database, Tx } from './platform/database/database.ts'
import { relayDatabaseChannel } from './platform/database/relay-channel.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { createGeometryWarmUp } from './platform/database/warm-up.ts'
import { withStartLock } from './platform/database/start-lock.ts'
import { formatCredentialsFileName, saveFirstPassword } from './platform/local-files/first-credentials.ts'
import { checkInstallation } from './platform/installation.ts'
import { createLogger, type Logger } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import type { ImageryHost } from './platform/integrations/imagery-host.ts'
import { withSandboxTimeLocks } from './platform/sandbox/sandbox-times.ts'
import type { ResolveHostName } from './platform/integrations/safe-fetch.ts'
import { findAdminSocketPath, withAdminSocket } from './platform/queue/admin-socket.ts'
import { openQueue } from './platform/queue/open-queue.ts'
import { prepareDatabaseSchema } from './platform/queue/prepare-schema.ts'
import type { TaskQueue, RetryPolicy } from './platform/queue/queue.ts'
import { readOperationQuotas } from './platform/quotas.ts'
import { createRateLimiter } from './platform/rate-limits/limiter.ts'
import { removeStaleTemporaryFolders } from './platform/legacy-work-folders.ts'
import { readSellerSettings } from './platform/seller.ts'
import { noTracing, type Tracing } from './platform/tracing/tracing.ts'

const migrationsDir = new URL('../migrations/', import.meta.url)

/** The configuration, and overrides of the services that are created from it; tests pass them. */
export interface AppOptions {
  readonly config: Config
  readonly clock?: Clock & OrganizationClocks
  readonly log?: Logger
  /** Opened by the caller; does not need to be migrated. */
  readonly database?: Database
  readonly hosts?: readonly ImageryHost[]
  readonly background?: BackgroundTaskOptions
  readonly passwords?: PasswordHasher
  /** Threads of the caller, which the application does not end. */
  readonly threads?: ThreadServices
  readonly newKeyPair?: KeyPairGenerator
  readonly onUndeclaredProblem?: UndeclaredProblemListener
  /** The metrics of the process; by default, new ones of the application alone. */
  readonly metrics?: Metrics
  /** Closed by the caller; nothing is traced if omitted. */
  readonly tracing?: Tracing
  /** Resolves host names of remote URLs; the system resolver if omitted. */
  readonly resolve?: ResolveHostName
}

/** Timing of background tasks. */
export interface BackgroundTaskOptions {
  /** Seconds between polls for tasks that were not notified; default 2. */
  readonly poll_s?: number
  /** Overrides the declared retry policy of a task. */
  readonly retry?: (declared: RetryPolicy) => RetryPolicy
}

export interface App {
  readonly fastify: FastifyInstance
  readonly database: Database
  readonly queue: TaskQueue
  readonly identity: IdentityService
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  /** The pipeline of all calls, for callers that add routes of their own. */
  readonly pipeline: CallPipelineDependencies
  /** Set at the first start, which created the administrator. */
  readonly firstAdministrator: BootstrapResult | null
  /** Whether tools on this machine have an API key; null for a server that is more than a local trial of one user. */
  readonly terminalKey: TerminalApiKeyState | null
  /** Starts the HTTP server and the task workers, as the role of this process requires, and returns the URL. */
  start(): Promise<string>
  /** After `STOP_DELAY_MS`, accepts no more calls and tasks, waits for the running ones, closes everything. */
  stop(): Promise<void>
}

/** Composition root: opens all services and connects the modules to them. */
export async function createApp(parts: AppOptions): Promise<App> {
  const { config, log = createLogger({ level: config.log_level, secrets: listConfiguredSecrets(config) }) } = parts
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const database = parts.database ?? (await openDatabase(config, log, initialDatabaseContent))
  const opened: Close[] = parts.database ? [] : [() => database.close()]
  try {
    return await withStartLock(database, async () =>
      assembleApp(parts, await openServices(parts, database, log), opened),
    )
  } catch (error) {
    // The first error says why the start failed; one of closing, such as of a database that is gone, does not replace it.
    for (const close of opened.toReversed())
      await close().catch((closing: unknown) => log.warn({ error: closing }, 'not closed after the start failed'))
    throw error
  }
}

type Close = () => Promise<void>

/** Creates queue, identity and HTTP server on the services; adds what must be closed if the start fails to `opened`. */
async function assembleApp(parts: AppOptions, services: Services, opened: Close[]): Promise<App> {
  const { config, clock, log, database } = services
  const { rateLimiter } = services
  const terminal = createTerminalApiKeys(services, () => queue)
  const queue = await openTaskQueue(services, terminal, parts.background)
  opened.push(() => queue.stop(0))
  const identity = await openIdentity(parts, services, queue)
  const closeCallServices = async (): Promise<void> => {
    await identity.close()
    await rateLimiter.close()
    if (!parts.threads) await closeThreadServices(services.processServices)
  }
  opened.push(closeCallServices)
  const firstAdministrator = await createFirstAdministrator(services, queue)
  const terminalKey = await terminal.ensure()
  const pipeline = createCallPipelineDependencies(services, queue, identity, parts.onUndeclaredProblem)
  const fastify = createServerWithRoutes(services, pipeline, queue, identity)
  const monitoring = config.role === 'work' && config.metrics_port > 0 ? createMonitoringServer(services) : null
  services.embedded.listen(createEmbeddedProcessorListener(services, queue, fastify), 'prompt')
  const warmUp = createGeometryWarmUp(database, log)
  const deliveries = createEventDeliveryService({ ...services, queue, poll_s: parts.background?.poll_s ?? 2 })
  return {
    fastify,
    database,
    queue,
    identity,
    clock,
    log,
    pipeline,
    firstAdministrator,
    terminalKey,
    start: async () => {
      await removeStaleTemporaryFolders(clock, log)
      if (config.role !== 'serve') await Promise.all([queue.start(), deliveries.start()])
      const url = await listen(config, fastify, monitoring)
      if (config.role !== 'work') warmUp.schedule()
      return url
    },
    stop: async () => {
      warmUp.cancel()
      await Promise.all([fastify.drain(config.stop_delay_ms), monitoring?.drain(config.stop_delay_ms)])
      await services.embedded.close()
      await services.processServices.get(sandboxClockAdvancesKey).close()
      await Promise.all([services.eventFeed.close(), services.renderableItems.close()])
      await Promise.all([fastify.close(), monitoring?.close()])
      await deliveries.stop(config.drain_ms)
      await queue.stop(config.drain_ms)
      await Promise.all([services.meter.flush(), services.callMeter.close()])
      await closeCallServices()
      await database.close()
    },
  }
}

/** Creates the administrator and the organization at the first start of an installation; null at any other. */
const createFirstAdministrator = (
  { config, clock, database, passwords }: Services,
  queue: TaskQueue,
): Promise<BootstrapResult | null> =>
  bootstrapDeployment({
    unscoped: database.unscoped,
    clock,
    passwords,
    queue,
    email: config.admin_email,
    password: config.admin_password,
    generatePassword: () => saveFirstPassword(config.data_dir, config.admin_email, getPublicUrl(config)),
    demo: config.demo,
    isPrivate: !isSharedServer(config),
    grant: grantDemoCredits,
  })

/** Listens on the ports of the role; returns the URL under which clients reach the installation. */
async function listen(config: Config, fastify: FastifyInstance, monitoring: FastifyInstance | null): Promise<string> {
  const { host, port, metrics_port, role } = config
  if (role !== 'work') return fastify.listen({ port, host })
  await fastify.ready()
  await monitoring?.listen({ port: metrics_port, host })
  return getPublicUrl(config)
}

/** Creates the identity service; failed sign-ins are counted with the wrong codes of calls. */
const openIdentity = (
  { config, newKeyPair }: AppOptions,
  services: Services,
  queue: TaskQueue,
): Promise<IdentityService> =>
  createIdentityService({
    database: services.database,
    clock: services.clock,
    log: services.log,
    sealing_keys: deriveKeys(services.masterSecrets, 'signing-keys'),
    passwords: services.passwords,
    onRevocation: services.processServices.get(revocationFeedServiceKey).publish,
    signer: services.signer,
    ...readClientOptions(config, services.integrations.fetch),
    first_credentials_file: formatCredentialsFileName(config.data_dir),
    ...(newKeyPair ? { newKeyPair } : {}),
    base_url: config.base_url,
    openid: services.integrations.openid,
    rates: services.rateLimiter,
    queue,
    guard: services.processServices.get(signInGuardServiceKey),
  })

async function openTaskQueue(
  services: Services,
  terminal: TerminalApiKeyService,
  { poll_s = 2, retry }: BackgroundTaskOptions = {},
): Promise<TaskQueue> {
  const { database, config, log, metrics, tracing } = services
  const taskDefinitions = backgroundTasks.map((task) =>
    toTaskDefinition({ ...services, blobs: services.background }, () => queue, task, retry),
  )
  const { recordAttempt } = metrics
  const options = {
    poll_s,
    concurrency: config.worker_concurrency,
    schedules: config.scheduler ? backgroundTaskSchedules : [],
    reactions: eventHandlers,
    log,
    recover: () => recoverClaimedWork(database),
    recordAttempt,
    currentTrace: tracing.current,
  }
  const adminSocketPath = database.kind === 'embedded' ? findAdminSocketPath(config.data_dir) : null
  const opened = await openQueue(database, taskDefinitions, options)
  const queue = withAdminSocket(opened, adminSocketPath, { renewTerminalApiKey: terminal.renew })
  return queue
}

async function openServices(parts: AppOptions, opened: Database, log: Logger): Promise<Services> {
  const { config, clock = createSystemClock(), hosts, passwords = createPasswordHasher(), tracing = noTracing } = parts
  const database = withSandboxTimeLocks(opened, clock)
  await prepareDatabaseSchema(config, database, fileURLToPath(migrationsDir), log)
  log.info({ database: database.kind, spatial_policy: database.spatial_policy }, 'the database is open')
  if (database.kind === 'embedded') await releaseAbandonedIdempotencyClaims(database.unscoped)
  const masterSecrets = await loadMasterSecrets(config)
  const { receiptKeys } = await checkInstallation(database, {
    masterSecrets,
    storage: await findStorageIdentity(config),
    createStorageIdentity: () => createStorageIdentity(config),
  })
  const { blobs, background, disk } = await openBlobStore({ config, masterSecrets, clock })
  const threads = parts.threads ?? createThreadServices(config)
  const infrastructure = { config, clock, log, database, tracing }
  const { integrations, embedded } = await openIntegrations({
    ...infrastructure,
    threads,
    masterSecrets,
    hosts: hosts ?? [],
    resolver: parts.resolve ? { resolve: parts.resolve } : {},
  })
  const rateLimiter = createRateLimiter({
    db: database.unscoped,
    ...(parts.clock ? { clock: parts.clock } : {}),
    onError: (error) => log.warn({ error }, 'the rate limit counters cannot be written'),
  })
  const feeds = await openFeeds(database, log)
  const secrets = { masterSecrets, receiptKeys }
  const processServices = createProcessServices(threads, { ...infrastructure, ...secrets, ...feeds, rateLimiter })
  const meters = createUsageMeters({ database, clock, log })
  return {
    ...infrastructure,
    masterSecrets,
    blobs,
    background,
    disk,
    integrations,
    processServices,
    embedded,
    ...meters,
    ...feeds,
    quotas: readOperationQuotas(config),
    rateLimiter,
    signer: createMasterSecretSigner(masterSecrets),
    passwords: limitPasswordHashing(passwords, config),
    metrics: createServerMetrics(parts.metrics, database, meters.callMeter),
    seller: readSellerSettings(config, integrations),
  }
}

/** The feeds that notify this process of changes made by any process. */
const openFeeds = async (database: Database, log: Logger) => ({
  eventFeed: await relayDatabaseChannel(database, eventChannels.events, log),
  renderableItems: await openRenderableItemCache(database, log),
})

const demo_credits = 100_000

/** Grants the initial credits of the demo organization. */
async function grantDemoCredits(tx: Tx, actor: Actor): Promise<void> {
  await grantCredits(tx, actor, {
    kind: 'grant_signup',
    amount_credits: demo_credits,
    reference: { type: 'organization', id: actor.organization },
    note: 'Sample credits',
  })
}
