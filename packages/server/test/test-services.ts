import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopes } from '@swath/contract/scopes.ts'
import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { Call, Principal } from '../src/engine/call.ts'
import { platformPrincipal } from '../src/engine/task-definition.ts'
import { createCallLog } from '../src/engine/call-log.ts'
import { addDeliveredItem, type DeliveredItem } from '../src/domains/items/deliver.ts'
import { ensureResultCollection } from '../src/domains/collections/result-collection.ts'
import { openDiskBlobStore } from '../src/platform/blobs/disk.ts'
import { createManualClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { createMasterSecretSigner } from '../src/platform/crypto/signer.ts'
import { readOperationQuotas } from '../src/platform/quotas.ts'
import { createRateLimiter } from '../src/platform/rate-limits/limiter.ts'
import { sql } from '../src/platform/database/sql.ts'
import type { Integrations } from '../src/platform/integrations/integrations.ts'
import { createFileMailer } from '../src/platform/integrations/mail/open-mailer.ts'
import { createInternalUrlCheck } from '../src/platform/integrations/safe-fetch.ts'
import { openEmbeddedPaymentProcessor } from '../src/platform/integrations/payments/embedded/embedded.ts'
import { openRenderableItemCache } from '../src/domains/items/renderable-items.ts'
import { newId } from '../src/platform/ids.ts'
import type { SellerSettings } from '../src/platform/seller.ts'
import { testPasswordHasher } from './test-crypto.ts'
import { openTestDatabase } from './database.ts'
import { noOpenIdProviders } from './federation/no-openid.ts'
import { emptyQueue, noopQueue, noSandboxes } from './noop-queue.ts'
import { createTestProcessServices } from './test-process-services.ts'
import { square } from './geometries.ts'

export const baseUrl = 'http://localhost:8080'

/** The issuer of documents in tests; the ABN has a valid checksum. */
export const seller: SellerSettings = {
  name: 'Swath Test',
  abn: '51824753556',
  address: ['1 Test Street'],
  email: 'accounts@swath.example',
  bank: { account_name: 'Swath Test', bsb: '062000', account: '12345678', bic: null, bank_name: 'Test Bank' },
  payment_terms: null,
  has_play_money: false,
}

const rejectFetch: Integrations['fetch'] = async () => {
  throw new Error('this test must not fetch')
}

/** A database, a blob store and calls without HTTP, for tests of modules. */
export async function openTestServices() {
  const database = await openTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'swath-holdings-'))
  const clock = createManualClock(new Date('2026-03-01T00:00:00.000Z'))
  const blobs = await openDiskBlobStore({ folder, clock, keys: [new Uint8Array(32).fill(7)] })
  const payments = openEmbeddedPaymentProcessor({ database, clock, key: new Uint8Array(32).fill(8) })
  const testIntegrations: Integrations = {
    fetch: rejectFetch,
    checkUrl: rejectFetch as never,
    isInternalUrl: createInternalUrlCheck({ outside_allow: [] }),
    textRecords: async () => [],
    openid: noOpenIdProviders,
    hosts: new Map(),
    payments,
    mail: createFileMailer(join(folder, 'outbox'), 'Swath <swath@example.org>'),
  }

  const quotas = readOperationQuotas(readConfig({}))
  const rateLimiter = createRateLimiter({ db: database.unscoped, clock })
  const renderableItems = await openRenderableItemCache(database, { warn: () => undefined })
  const processServices = createTestProcessServices(rateLimiter, clock, renderableItems)
  const signer = createMasterSecretSigner([new Uint8Array(32).fill(9)])

  const createCall = (principal: Principal, outside: Integrations = testIntegrations): Call => {
    const organization = principal.organization!
    const db = database.forOrganization(organization)
    return {
      operation: 'test',
      principal,
      organization,
      db,
      itemSearchDb: database.forItemSearch(organization),
      unscoped: database.unscoped,
      transaction: (work) => db.transaction(work),
      claim: null,
      clock: clock.forOrganization(organization),
      clocks: clock,
      requestId: newId(),
      baseUrl: baseUrl,
      log: createCallLog(),
      signal: new AbortController().signal,
      integrations: outside,
      blobs,
      processServices,
      queue: noopQueue,
      operatedQueue: emptyQueue,
      sandboxRunner: noSandboxes,
      seller,
      rateLimitKey: '192.0.2.1',
      quotas,
      rateLimiter,
      signer,
      passwords: testPasswordHasher,
      reserveResponseBytes: () => undefined,
      reportRateLimits: () => undefined,
      isDryRun: false,
      asDryRun: () => {
        throw new Error('calls of this fixture are no dry runs')
      },
      asOrganization: (other) => createCall({ ...platformPrincipal, organization: other }, outside),
    }
  }

  /** Creates an organization with an owner and one project. */
  const createOrganization = async () => {
    const organization = newId()
    const project = newId()
    await database.unscoped.query(sql`
      insert into organizations (organization_id, name, slug, enterprise_billing, plan, status, created_at, updated_at)
      values (${organization}, 'Test', ${organization}, false, 'prepaid', 'active', ${clock.now()}, ${clock.now()})`)
    await database.unscoped.query(sql`
      insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
      values (${organization}, ${project}, 'Project', false, 'test', ${clock.now()}, ${clock.now()})`)
    const createMemberCall = async (role: OrganizationRole): Promise<Call> => {
      const user = newId()
      await database.unscoped.query(sql`
        insert into memberships (organization_id, user_id, email, role, created_at, updated_at)
        values (${organization}, ${user}, ${`${user}@example.org`}, ${role}, ${clock.now()}, ${clock.now()})`)
      return createCall({ kind: 'human', id: user, user, organization, role, scopes, administrator: false })
    }
    return { organization, project, owner: await createMemberCall('owner'), createMemberCall }
  }

  return {
    database,
    blobs,
    /** The folder in which e-mails are written. */
    outbox: join(folder, 'outbox'),
    clock,
    /** The payment processor of the calls; it delivers its events only if the test listens. */
    payments,
    /** The integrations of a call, unless a test passes others. */
    integrations: testIntegrations,
    processServices,
    quotas,
    createCall,
    createOrganization,
    close: async () => {
      await rateLimiter.close()
      await renderableItems.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type TestServices = Awaited<ReturnType<typeof openTestServices>>

/** Delivers an item as an order does; fields that are not overridden have defaults. */
export async function deliverItem(
  call: Call,
  project_id: string,
  overrides: Partial<DeliveredItem> = {},
): Promise<{ item_id: string; collection_id: string; order_id: string }> {
  const order_id = overrides.order_id ?? newId()
  const item_id = overrides.id ?? newId()
  const collection_id = await call.transaction(async (tx) => {
    const collection =
      overrides.collection_id ??
      (await ensureResultCollection(tx, call, { project_id, source: { type: 'order', id: order_id }, name: order_id }))
    await addDeliveredItem(tx, call, {
      id: item_id,
      project_id,
      collection_id: collection,
      order_id,
      scene_key: `demo:${item_id}`,
      name: 'scene',
      geometry: square(10, 50, 1),
      datetime: new Date('2024-06-01T10:00:00Z'),
      cloud_cover: null,
      gsd: null,
      properties: {},
      assets: [],
      ...overrides,
    })
    return collection
  })
  return { item_id, collection_id, order_id }
}
