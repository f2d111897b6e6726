import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopes } from '@swath/contract/scopes.ts'
import type { Call, OrganizationRole, Principal } from '../src/engine/call.ts'
import { service } from '../src/engine/background.ts'
import { observation } from '../src/engine/observe.ts'
import { addDeliveredItem, type DeliveredItem } from '../src/domains/items/deliver.ts'
import { ensureOrderCollection } from '../src/domains/collections/deliver.ts'
import { openDiskBlobs } from '../src/platform/blobs/disk.ts'
import { manualClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { makeSigner } from '../src/platform/crypto/signer.ts'
import { quotasOf } from '../src/platform/quotas.ts'
import { createRateLimiter } from '../src/platform/rate-limits/limiter.ts'
import { sql } from '../src/platform/database/sql.ts'
import type { Outside } from '../src/platform/outside/outside.ts'
import { openEmbedded } from '../src/platform/outside/payments/embedded/embedded.ts'
import { newId } from '../src/platform/ids.ts'
import type { Seller } from '../src/platform/seller.ts'
import { cheapPasswords } from './cheap-crypto.ts'
import { openTestDatabase } from './database.ts'
import { idleQueue } from './idle-queue.ts'
import { square } from './places.ts'

export const base = 'http://localhost:8080'

/** The issuer of documents in tests; the ABN has a valid checksum. */
export const seller: Seller = { name: 'Swath Test', abn: '51824753556', address: ['1 Test Street'] }

const fetchNothing: Outside['fetch'] = async () => {
  throw new Error('this test must not fetch')
}

/** A database, a blob store and calls without HTTP, for tests of modules. */
export async function openHoldings() {
  const database = await openTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'swath-holdings-'))
  const clock = manualClock(new Date('2026-03-01T00:00:00.000Z'))
  const blobs = await openDiskBlobs({ folder, clock, keys: [new Uint8Array(32).fill(7)] })
  const payments = openEmbedded({ database, clock, key: new Uint8Array(32).fill(8) })
  const nearby: Outside = { fetch: fetchNothing, hosts: new Map(), payments }

  const quotas = quotasOf(readConfig({}))
  const rates = createRateLimiter({ db: database.across, clock })
  const signer = makeSigner(new Uint8Array(32).fill(9))

  const callAs = (principal: Principal, outside: Outside = nearby): Call => {
    const organization = principal.organization!
    const db = database.of(organization)
    return {
      operation: 'test',
      principal,
      organization,
      db,
      searchDb: database.searchOf(organization),
      across: database.across,
      transaction: (work) => db.transaction(work),
      claim: null,
      clock: clock.of(organization),
      clocks: clock,
      requestId: newId(),
      baseUrl: base,
      log: observation(),
      signal: new AbortController().signal,
      outside,
      blobs,
      queue: idleQueue,
      seller,
      origin: '192.0.2.1',
      quotas,
      rates,
      signer,
      passwords: cheapPasswords,
      reserve: () => undefined,
      tellLimits: () => undefined,
      within: (other) => callAs({ ...service, organization: other }, outside),
    }
  }

  /** Creates an organization with an owner and one project. */
  const organize = async () => {
    const organization = newId()
    const project = newId()
    await database.across.query(sql`
      insert into organizations (organization_id, name, slug, enterprise_billing, plan, status, created_at, updated_at)
      values (${organization}, 'Test', ${organization}, false, 'prepaid', 'active', ${clock.now()}, ${clock.now()})`)
    await database.across.query(sql`
      insert into projects (organization_id, id, name, is_archived, created_by, created_at, updated_at)
      values (${organization}, ${project}, 'Project', false, 'test', ${clock.now()}, ${clock.now()})`)
    const person = async (role: OrganizationRole): Promise<Call> => {
      const user = newId()
      await database.across.query(sql`
        insert into memberships (organization_id, user_id, email, role, created_at, updated_at)
        values (${organization}, ${user}, ${`${user}@example.org`}, ${role}, ${clock.now()}, ${clock.now()})`)
      return callAs({ kind: 'human', id: user, user, organization, role, scopes, administrator: false })
    }
    return { organization, project, owner: await person('owner'), person }
  }

  return {
    database,
    blobs,
    clock,
    /** The payment processor of the calls; it delivers its events only if the test listens. */
    payments,
    /** The integrations of a call, unless a test passes others. */
    outside: nearby,
    quotas,
    callAs,
    organize,
    close: async () => {
      await rates.close()
      await database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type Holdings = Awaited<ReturnType<typeof openHoldings>>

/** Delivers an item as an order does; defaults fill what is not overridden. */
export async function deliver(
  call: Call,
  project_id: string,
  given: Partial<DeliveredItem> = {},
): Promise<{ item_id: string; collection_id: string; order_id: string }> {
  const order_id = given.order_id ?? newId()
  const item_id = given.id ?? newId()
  const collection_id = await call.transaction(async (tx) => {
    const collection =
      given.collection_id ?? (await ensureOrderCollection(tx, call, { project_id, order_id, name: order_id }))
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
      ...given,
    })
    return collection
  })
  return { item_id, collection_id, order_id }
}
