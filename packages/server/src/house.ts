import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { findOperation } from '@swath/contract/registry.ts'
import { receiveEvent } from './domains/billing/processor/processor-events.ts'
import { demoHosts } from './domains/catalog/hosts/demo.ts'
import { handlers, tasks } from './domains/domains.ts'
import { bootstrap, type Bootstrapped } from './domains/identity/bootstrap.ts'
import { createIdentity, type Identity } from './domains/identity/identity.ts'
import type { Actor } from './domains/events/emit.ts'
import { grant } from './domains/ledger/ledger.ts'
import { putAdmission } from './domains/uploads/admit-put.ts'
import { openDownloads } from './domains/share/open-downloads.ts'
import { readLinkState } from './domains/share/open-link.ts'
import { openEgressMeter, type EgressMeter } from './domains/usage/egress-meter.ts'
import { furnishDarkroom } from './domains/rendering/darkroom.ts'
import { keepPictures } from './domains/rendering/image-answer.ts'
import { reactions } from './domains/reactions.ts'
import { schedules } from './domains/schedules.ts'
import { kindOf, type TaskGround } from './engine/background.ts'
import { createCallLimits } from './engine/call-limits.ts'
import { OpenCall, type CallGround } from './engine/open-call.ts'
import type { Steps, UndeclaredProblemListener } from './engine/pipeline.ts'
import { boundAnswers, boundPasswords } from './engine/work-queues.ts'
import { freeAbandonedClaims } from './engine/store.once.ts'
import { archiveRoutes } from './http/archive-routes.ts'
import { documentRoutes } from './http/document-routes.ts'
import type { Doors } from './http/door.ts'
import { facadeRoutes } from './http/facade-routes.ts'
import { healthRoutes } from './http/health-routes.ts'
import { identityRoutes } from './http/identity-routes.ts'
import { operationRoutes } from './http/operation-routes.ts'
import { baseOf, openServer } from './http/server.ts'
import { paymentRoutes, throughDoor } from './http/payment-routes.ts'
import { openResponseBudget } from './http/response-budget.ts'
import { shareRoutes } from './http/share-routes.ts'
import { signedBlobRoutes } from './http/signed-blob-routes.ts'
import { initialContent } from './initial-content.ts'
import { openBlobs, type OpenedBlobs } from './platform/blobs/open-blobs.ts'
import { findStorageIdentity, nameStorage } from './platform/blobs/storage-identity.ts'
import { systemClock, type Clock, type OrganizationClocks } from './platform/clock.ts'
import { secretsOf, type Config } from './platform/config.ts'
import { openMasterSecret } from './platform/crypto/master-secret.ts'
import { createPasswordHasher, type PasswordHasher } from './platform/crypto/passwords.ts'
import { deriveKey } from './platform/crypto/signatures.ts'
import type { NewKeyPair } from './platform/crypto/signing-keys.ts'
import { makeSigner } from './platform/crypto/signer.ts'
import { checkReadiness } from './platform/readiness.ts'
import type { Database, Tx } from './platform/database/database.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { withStartLock } from './platform/database/start-lock.ts'
import { keepFirstPassword } from './platform/first-credentials.ts'
import { checkInstallation } from './platform/installation.ts'
import { openLog, type Logger } from './platform/log.ts'
import { openMetrics } from './platform/metrics.ts'
import type { ImageryHost } from './platform/outside/imagery-host.ts'
import type { Outside } from './platform/outside/outside.ts'
import { limitHost } from './platform/outside/limit-host.ts'
import type { EmbeddedProcessor } from './platform/outside/payments/embedded/embedded.ts'
import { openPayments } from './platform/outside/payments/open-payments.ts'
import type { ProcessorEvent } from './platform/outside/payments/payments.ts'
import { openSafeFetch } from './platform/outside/safe-fetch.ts'
import { localDoorPath, withLocalDoor } from './platform/queue/local-door.ts'
import { openQueue } from './platform/queue/open-queue.ts'
import { prepareSchema } from './platform/queue/prepare-schema.ts'
import type { HouseQueue, RetryPolicy } from './platform/queue/queue.ts'
import { quotasOf } from './platform/quotas.ts'
import { callRatesOf } from './platform/rate-limits/call-rates.ts'
import { createRateLimiter } from './platform/rate-limits/limiter.ts'
import { sweepTemporaryFolders } from './platform/old-work-folders.ts'
import { sellerOf } from './platform/seller.ts'

const migrationsDir = new URL('../migrations/', import.meta.url)
const openapiFile = new URL('../../../docs/openapi.json', import.meta.url)
const demoDir = new URL('../demo/', import.meta.url)

/** The configuration, and overrides of what is created from it; tests pass them. */
export interface HouseParts {
  readonly config: Config
  readonly clock?: Clock & OrganizationClocks
  readonly log?: Logger
  /** Opened by the caller; does not need to be migrated. */
  readonly database?: Database
  readonly hosts?: readonly ImageryHost[]
  readonly background?: Background
  readonly passwords?: PasswordHasher
  readonly newKeyPair?: NewKeyPair
  readonly onUndeclaredProblem?: UndeclaredProblemListener
}

/** Timing of background tasks. */
export interface Background {
  /** Seconds between polls for tasks that were not notified; default 2. */
  readonly poll_s?: number
  /** Overrides the declared retry policy of a task. */
  readonly retry?: (declared: RetryPolicy) => RetryPolicy
}

export interface House {
  readonly app: FastifyInstance
  readonly database: Database
  readonly queue: HouseQueue
  readonly identity: Identity
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  /** The pipeline of all calls, for callers that add routes of their own. */
  readonly steps: Steps
  /** Set at the first start, which created the administrator. */
  readonly first: Bootstrapped | null
  /** Starts the HTTP server and the task workers, as the role of this process requires, and returns the URL. */
  start(): Promise<string>
  /** Accepts no more calls and tasks, waits for the running ones, closes everything. */
  stop(): Promise<void>
}

/** What lives as long as the process and is shared by calls and tasks. */
interface Ground extends TaskGround {
  readonly clock: Clock & OrganizationClocks
  readonly config: Config
  readonly secret: Uint8Array
  readonly disk: OpenedBlobs['disk']
  /** The blob store as tasks use it. */
  readonly background: OpenedBlobs['background']
  readonly embedded: EmbeddedProcessor | null
  readonly stock: Stock
  readonly meter: EgressMeter
}

/** Services of calls alone: limits, signer, password hasher. */
type Stock = Pick<CallGround, 'quotas' | 'rates' | 'signer' | 'passwords'>

/** Composition root: opens all services and connects the modules to them. */
export async function buildHouse(parts: HouseParts): Promise<House> {
  const { config, log = openLog({ level: config.log_level, secrets: secretsOf(config) }) } = parts
  await mkdir(config.data_dir, { recursive: true, mode: 0o700 })
  const database = parts.database ?? (await openDatabase(config, log, initialContent))
  const opened: Closing[] = parts.database ? [] : [() => database.close()]
  try {
    return await withStartLock(database, async () => furnish(parts, await layGround(parts, database, log), opened))
  } catch (error) {
    for (const close of opened.toReversed()) await close()
    throw error
  }
}

type Closing = () => Promise<void>

/** Creates queue, identity and HTTP server on the services; adds what must be closed if the start fails to `opened`. */
async function furnish(parts: HouseParts, ground: Ground, opened: Closing[]): Promise<House> {
  const { config, clock, log, database } = ground
  const { passwords, rates } = ground.stock
  const queue = await openBackground(ground, parts.background)
  const identity = await openIdentity(parts, ground)
  opened.push(
    () => rates.close(),
    () => identity.close(),
  )
  const first = await bootstrap({
    across: database.across,
    clock,
    passwords,
    queue,
    email: config.admin_email,
    password: config.admin_password,
    makePassword: () => keepFirstPassword(config.data_dir, config.admin_email, addressOf(config)),
    demo: config.demo,
    grant: grantDemoCredits,
  })
  const steps = stepsOf(parts, ground, queue, identity)
  const app = await openDoors(ground, steps, queue, identity)
  ground.embedded?.listen(throughDoor(app), 'prompt')
  return {
    app,
    database,
    queue,
    identity,
    clock,
    log,
    steps,
    first,
    start: async () => {
      await sweepTemporaryFolders(clock, log)
      if (config.role !== 'serve') await queue.start()
      if (config.role === 'work') {
        await app.ready()
        return addressOf(config)
      }
      const address = await app.listen({ port: config.port, host: config.host })
      void database.warmUp().catch((error: unknown) => log.warn({ error }, 'the geometry library cannot be loaded'))
      return address
    },
    stop: async () => {
      await ground.embedded?.close()
      await app.close()
      await queue.stop(config.drain_ms)
      await ground.meter.flush()
      await identity.close()
      await rates.close()
      await database.close()
    },
  }
}

/** Creates the identity service; failed sign-ins are limited as configured. */
const openIdentity = ({ config, newKeyPair }: HouseParts, ground: Ground): Promise<Identity> =>
  createIdentity({
    database: ground.database,
    clock: ground.clock,
    log: ground.log,
    sealing_key: deriveKey(ground.secret, 'signing-keys'),
    passwords: ground.stock.passwords,
    ...(newKeyPair ? { newKeyPair } : {}),
    base_url: config.base_url,
    rates: ground.stock.rates,
    limits: { per_address: { failures: config.rate_sign_ins, window_ms: 60_000 } },
  })

/** The URL of the application, as far as it is known before it listens. */
const addressOf = ({ base_url, host, port }: Config): string => base_url ?? `http://${host}:${port}`

async function openBackground(ground: Ground, { poll_s = 2, retry }: Background = {}): Promise<HouseQueue> {
  const { database, config, log } = ground
  const kinds = tasks.map((task) => kindOf({ ...ground, blobs: ground.background }, () => queue, task, retry))
  const options = { poll_s, concurrency: config.worker_concurrency, schedules, reactions, log }
  const door = database.kind === 'embedded' ? localDoorPath(config.data_dir) : null
  const queue = withLocalDoor(await openQueue(database, kinds, options), door)
  return queue
}

async function openDoors(
  ground: Ground,
  steps: Steps,
  queue: HouseQueue,
  identity: Identity,
): Promise<FastifyInstance> {
  const { config, clock, log, disk, stock, meter, database, blobs } = ground
  const { base_url: baseUrl, body_limit_bytes, upload_limit_bytes } = config
  const metrics = openMetrics()
  const playMoney = ground.outside.payments.env !== 'live'
  const shared = { trustProxy: config.trust_proxy, log, metrics, baseUrl }
  const app = openServer({ ...shared, playMoney, connections: config, responseBudget: openResponseBudget(config) })
  const doors: Doors = { steps, baseUrl, body_limit_bytes }
  operationRoutes(app, doors)
  facadeRoutes(app, doors)
  const { metrics_token } = config
  healthRoutes(app, {
    ready: () => checkReadiness({ database, blobs, data_dir: config.data_dir }),
    metrics: () => metrics.print(),
    metrics_token,
  })
  documentRoutes(app, { openapiFile, baseUrl })
  identityRoutes(app, identity)
  const onEvent = (event: ProcessorEvent): Promise<void> =>
    receiveEvent({ database: ground.database, queue, clock }, event)
  paymentRoutes(app, { payments: ground.outside.payments, embedded: ground.embedded, onEvent })
  const { admit, note, archive } = openDownloads({ ...ground, ...stock }, meter)
  archiveRoutes(app, { open: archive })
  shareRoutes(app, { ...doors, state: (token, visit) => readLinkState({ ...ground, ...stock }, token, visit) })
  if (disk) {
    const shared = { ...disk, clock, upload_limit_bytes, admit, admitPut: putAdmission(ground), onSent: note }
    signedBlobRoutes(app, { ...shared, baseOf: (request) => baseOf(request, baseUrl) })
  }
  return app
}

async function layGround(parts: HouseParts, database: Database, log: Logger): Promise<Ground> {
  const { config, clock = systemClock, hosts, passwords = createPasswordHasher() } = parts
  await prepareSchema(config, database, fileURLToPath(migrationsDir), log)
  log.info({ database: database.kind, spatial_policy: database.spatial_policy }, 'the database is open')
  if (database.kind === 'embedded') await freeAbandonedClaims(database.across)
  const secret = await openMasterSecret(config.data_dir, config.secret)
  await checkInstallation(database, {
    secret,
    storage: await findStorageIdentity(config),
    nameStorage: () => nameStorage(config),
  })
  const { blobs, background, disk } = await openBlobs({ config, secret, clock })
  const { raster_threads: threads, raster_cache_mib: cache_mib, max_wait_ms } = config
  furnishDarkroom({ threads, cache_mib, max_wait_ms })
  keepPictures(config.tile_cache_mib * 1024 * 1024)
  const demo = config.demo ? await demoHosts(demoDir) : []
  const served = [...demo, ...(hosts ?? [])]
  const { payments, embedded } = await openPayments({ config, database, clock, log, secret })
  const outside: Outside = {
    payments,
    fetch: openSafeFetch({ config }),
    hosts: new Map(served.map((host) => [host.name, limitHost(host, config.host_timeout_ms)])),
  }
  const rates = createRateLimiter({
    db: database.across,
    ...(parts.clock ? { clock: parts.clock } : {}),
    onFault: (error) => log.warn({ error }, 'the rate limit counters cannot be written'),
  })
  const stock = {
    quotas: quotasOf(config),
    rates,
    signer: makeSigner(secret),
    passwords: boundPasswords(passwords, config),
  }
  const meter = openEgressMeter({ database, clock, log })
  const opened = { database, secret, blobs, background, disk, outside, embedded, meter, stock }
  return { config, clock, log, ...opened, quotas: stock.quotas, seller: sellerOf(config) }
}

const demo_credits = 100_000

/** Grants the initial credits of the demo organization. */
async function grantDemoCredits(tx: Tx, actor: Actor): Promise<void> {
  const reference = { type: 'organization', id: actor.organization }
  await grant(tx, actor, { kind: 'grant_signup', amount_credits: demo_credits, reference, note: 'Sample credits' })
}

/** Connects the pipeline to handlers, identity and services. */
function stepsOf({ onUndeclaredProblem }: HouseParts, ground: Ground, queue: HouseQueue, identity: Identity): Steps {
  const { database, clock, outside, blobs, seller } = ground
  const shared = { database, clock, outside, blobs, queue, seller, ...ground.stock }
  const answerOf = boundAnswers(handlers, ground.config)
  return {
    ...(onUndeclaredProblem ? { onUndeclaredProblem } : {}),
    find: (id) => {
      const operation = findOperation(id)
      return operation ? { operation, answer: answerOf(id) } : null
    },
    authenticate: (credentials, operation) => identity.authenticate(credentials, operation),
    admit: createCallLimits(ground.stock.rates, callRatesOf(ground.config)),
    openCall: (request, principal, operation, claim) => new OpenCall(shared, request, principal, operation.id, claim),
  }
}
