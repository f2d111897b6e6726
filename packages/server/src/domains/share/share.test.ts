import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SharedItem, SharedLink, ShareSession } from '@swath/contract/shapes/share-link.ts'
import { tileAt } from '@swath/geo/tile-grid.ts'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import type { Handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { readInput } from '../../engine/read-input.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { deliver, openHoldings } from '../../../test/holdings.ts'
import { readPng, scene, sceneBands, storeRaster } from '../../../test/rasters.ts'
import { removeCollection } from '../collections/collections.delete.ts'
import { visitor } from '../identity/principals.ts'
import { renderItemTile } from '../items/items.tile.render.ts'
import { balance, grant, listEntries } from '../ledger/ledger.ts'
import { openEgressMeter } from '../usage/egress-meter.ts'
import { openDownloads } from './open-downloads.ts'
import { share } from './room.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
let world: Awaited<ReturnType<typeof house.organize>>
let collection_id: string
let item_id: string
let asset: Awaited<ReturnType<typeof storeRaster>>
const tile = tileAt(10.45, 50.52, 14)
const password = 'let me see it'
const day_ms = 86_400_000

before(async () => {
  house = await openHoldings()
  world = await house.organize()
  const stored = await storeRaster(house.blobs, scene, sceneBands)
  asset = { ...stored, blob_path: `organizations/${world.organization}/${stored.blob_path}` }
  const bytes = await house.blobs.read(stored.blob_path, 0, stored.file_size_bytes)
  await house.blobs.putBytes(asset.blob_path, bytes, stored.media_type)
  const made = await deliver(world.owner, world.project, {
    assets: [asset],
    datetime: new Date('2024-01-01T00:00:00Z'),
  })
  collection_id = made.collection_id
  item_id = made.item_id
})
after(() => house?.close())

const handlers = new Map(share.handlers.map((handler) => [handler.operation.id, handler]))

/** Invokes a handler with validated input, as the pipeline does. */
const ask = async <T>(id: string, input: object, call: Call = world.owner): Promise<T> => {
  const handler: Handler = handlers.get(id)!
  return (await handler.answer({ ...call, operation: id }, readInput(handler.operation, { ...input }) as never)) as T
}

/** A call without an account, which belongs to no organization. */
const stranger = (more: Partial<Call> = {}): Call => {
  const { db: _, transaction: __, ...call } = world.owner
  return { ...call, principal: visitor('shares:read'), organization: '', ...more } as Call
}
/** Each visit comes from its own client unless `rateLimitKey` is given. */
const visit = <T>(id: string, input: object, more: Partial<Call> = {}): Promise<T> =>
  ask<T>(id, input, stranger({ origin: newId(), ...more }))

const refused = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  return true
}

interface Made {
  readonly id: string
  readonly token: string
  readonly url: string
}

const inDays = (days: number): string => new Date(house.clock.now().getTime() + days * day_ms).toISOString()

const link = (more: object = {}, call: Call = world.owner): Promise<Made> => {
  const terms = { target_type: 'item', target_id: item_id, password, expires_at: inDays(7), ...more }
  return ask('share.link.create', terms, call)
}
const get = async (id: string): Promise<SharedLink> =>
  (await ask<{ link: SharedLink }>('share.link.get', { link_id: id })).link

test('a link opens with its password until it is revoked or expires', async () => {
  const { id, token, url } = await link()
  assert.equal(url, `http://localhost:8080/share/${token}`)
  const opened = await visit<{ permission: string; target: SharedItem }>('share.link.validate', { token, password })
  assert.deepEqual([opened.permission, opened.target.id, opened.target.assets], ['view', item_id, []])
  await assert.rejects(visit('share.link.validate', { token, password: 'not this one' }), refused('forbidden'))
  await assert.rejects(visit('share.link.validate', { token }), refused('forbidden'))
  for (const other of [`${token.slice(0, -1)}_`, `swathshare_${'x'.repeat(32)}`, 'rubbish', '\u0000', id])
    await assert.rejects(visit('share.link.validate', { token: other, password }), refused('not-found'))
  assert.equal((await get(id)).access_count, 1)
  await ask('share.link.revoke', { link_id: id })
  await assert.rejects(visit('share.link.validate', { token, password }), refused('gone-expired'))
  await assert.rejects(visit('share.link.validate', { token, password: 'not this one' }), refused('gone-expired'))
  assert.equal((await get(id)).active, false)
  await assert.rejects(ask('share.link.update', { link_id: id, view_cap: 1 }), refused('invalid-state'))
})

test('the stored rows of a link contain neither its token nor its password', async () => {
  const { token } = await link()
  const rows = JSON.stringify(await house.database.across.query(sql`select * from share_links`))
  const hashes = JSON.stringify(await house.database.across.query(sql`select * from share_token_directory`))
  assert.ok(!rows.includes(token) && !hashes.includes(token) && !rows.includes(password))
  assert.match(rows, /\$argon2id\$/)
})

test('share.link.create requires write permission, an existing target and an expiry in the future', async () => {
  const member = await world.person('member')
  await assert.rejects(
    ask('share.link.create', { target_type: 'item', target_id: item_id, password, expires_at: inDays(1) }, member),
    refused('not-a-member'),
  )
  await assert.rejects(link({ target_id: newId() }), refused('not-found'))
  await assert.rejects(link({ target_type: 'collection' }), refused('not-found'))
  await assert.rejects(link({ expires_at: inDays(-1) }), refused('validation'))
  await assert.rejects(link({ password: 'ä'.repeat(600) }), refused('validation'))
  const other = await house.organize()
  await assert.rejects(ask('share.link.revoke', { link_id: (await link()).id }, other.owner), refused('not-found'))
})

test('a link expires after at most a year', async () => {
  const { id } = await link({ expires_at: inDays(366) })
  for (const expires_at of [inDays(366.01), '2100-01-01T00:00:00Z']) {
    await assert.rejects(link({ expires_at }), refused('validation'))
    await assert.rejects(ask('share.link.update', { link_id: id, expires_at }), refused('validation'))
  }
})

test('a link that an API key created ends with the key', async () => {
  for (const ending of ['revoked_at', 'expires_at'] as const) {
    const key = await holdKey()
    const { id, token } = await link({}, key)
    const download = await link({ permission: 'download' }, key)
    const fetched = { token: download.token, password, item_id, asset_id: asset.id }
    const { url } = await visit<{ url: string }>('share.asset.download', fetched)
    const session = await visit<ShareSession>('share.session.create', { token, password })
    await visit('share.link.validate', { token, password })
    assert.equal((await get(id)).active, true)
    const at = new Date(house.clock.now().getTime() + (ending === 'expires_at' ? 1000 : 0))
    const column = sql.identifier(ending, ['revoked_at', 'expires_at'])
    await house.database.across.query(sql`update api_keys set ${column} = ${at} where id = ${key.principal.id}`)
    house.clock.advance(1000)
    await assert.rejects(visit('share.link.validate', { token, password }), refused('gone-expired'))
    await assert.rejects(visit('share.tile.render', { token: session.token, ...tile }), refused('gone-expired'))
    assert.equal((await get(id)).active, false)
    const { links } = await ask<{ links: SharedLink[] }>('share.link.list', { target_id: item_id, active: true })
    assert.ok(links.every((one) => one.id !== id))
    const doors = openDownloads({ ...world.owner, ...house }, openEgressMeter({ ...house, log: {} as never }))
    const ticket = new URL(url).searchParams.get('ticket')!
    await assert.rejects(doors.admit({ path: asset.blob_path, ticket }), refused('gone-expired'))
  }
})

test('an API key cannot update a link that it did not create', async () => {
  const key = await holdKey()
  const own = await link({}, key)
  await ask('share.link.update', { link_id: own.id, view_cap: 9 }, key)
  const theirs = await link()
  const taking = { link_id: theirs.id, password: 'a password of the thief' }
  await assert.rejects(ask('share.link.update', taking, key), refused('user-required'))
  await visit('share.link.validate', { token: theirs.token, password })
})

/** A call with an API key that the owner created. */
async function holdKey(): Promise<Call> {
  const { organization, user } = world.owner.principal
  const id = newId()
  await house.database.across.query(sql`
    insert into api_keys (organization_id, id, name, prefix, last_four, permissions, created_by, created_at)
    values (${organization}, ${id}, 'Key', 'x', 'x', '{can_write}', ${user}, ${house.clock.now()})`)
  return house.callAs({ ...world.owner.principal, kind: 'api_key', id, role: null })
}

test('a session renders tiles without the password until the password changes, an hour passes or the link expires', async () => {
  const { id, token } = await link()
  const begin = () => visit<ShareSession>('share.session.create', { token, password })
  const session = await begin()
  assert.equal(session.expires_in_seconds, 3600)
  const drawn = await visit<BytesAnswer>('share.tile.render', { token: session.token, ...tile })
  const own = (await renderItemTile.answer(world.owner, {
    item_id,
    ...tile,
    format: 'png',
    quality: 75,
    scale: 1,
  } as never)) as BytesAnswer
  assert.deepEqual(drawn.body, own.body)
  const forged = session.token.replace(/-([0-9a-z]+)-([\w-]{43})$/, '-zzzzzzz-$2')
  await assert.rejects(visit('share.tile.render', { token: forged, ...tile }), refused('not-found'))
  const described = await visit<{ tiles: string[] }>('share.tilejson', { token: session.token })
  assert.ok(described.tiles[0]!.includes(session.token), 'a session cannot be extended')
  await ask('share.link.update', { link_id: id, password: 'another password' })
  await assert.rejects(visit('share.tile.render', { token: session.token, ...tile }), refused('gone-expired'))
  await assert.rejects(begin(), refused('forbidden'))
  const again = await visit<ShareSession>('share.session.create', { token, password: 'another password' })
  house.clock.advance(3_600_000)
  await assert.rejects(visit('share.tile.render', { token: again.token, ...tile }), refused('gone-expired'))
  house.clock.advance(7 * day_ms)
  await assert.rejects(visit('share.session.create', { token, password: 'another password' }), refused('gone-expired'))
})

test('a session cannot be extended', async () => {
  const { token } = await link()
  const first = await visit<ShareSession>('share.session.create', { token, password })
  house.clock.advance(3_000_000)
  const again = await visit<ShareSession>('share.session.create', { token: first.token })
  assert.deepEqual([again.token, again.expires_at, again.expires_in_seconds], [first.token, first.expires_at, 600])
  house.clock.advance(601_000)
  await assert.rejects(visit('share.session.create', { token: first.token }), refused('gone-expired'))
})

test('a collection tile shows the newest item first, without deleted or expired items', async () => {
  const add = async (year: number) =>
    (
      await deliver(world.owner, world.project, {
        collection_id,
        assets: [{ ...asset, id: newId() }],
        datetime: new Date(`${year}-01-01T00:00:00Z`),
      })
    ).item_id
  const [oldest, newest] = [await add(2020), await add(2025)]
  const { token } = await link({ target_type: 'collection', target_id: collection_id })
  const ids = async () =>
    (await visit<{ items: SharedItem[] }>('share.items.list', { token, password })).items.map((item) => item.id)
  assert.deepEqual(await ids(), [newest, item_id, oldest])
  const drawn = await visit<BytesAnswer>('share.tile.render', { token, password, ...tile })
  assert.equal(readPng(drawn.body).at(128, 128)[3], 255)
  const far = await visit<BytesAnswer>('share.tile.render', { token, password, z: 10, x: 0, y: 0 })
  assert.deepEqual(readPng(far.body).at(128, 128), [0, 0, 0, 0])
  const described = await visit<{ bounds: number[]; tiles: string[] }>('share.tilejson', { token, password })
  assert.match(described.tiles[0]!, /\/api\/v1\/share\/tiles\/\{z\}\/\{x\}\/\{y\}\.png\?token=swathvisit_[\w-]+$/)
  assert.equal(described.bounds.length, 4)
})

test('visits of one client are rate limited; its sessions continue to work', async () => {
  const { token } = await link()
  const from = { origin: '198.51.100.6' }
  const { token: session } = await visit<ShareSession>('share.session.create', { token, password }, from)
  const tries = await Promise.allSettled(
    Array.from({ length: 70 }, (_, at) => visit('share.link.validate', { token: `wrong ${at}`, password }, from)),
  )
  const limited = tries.filter((one) => one.status === 'rejected' && one.reason.problem === 'rate-limited')
  assert.equal(limited.length, 11)
  await assert.rejects(visit('share.link.validate', { token, password }, from), refused('rate-limited'))
  await visit('share.tile.render', { token: session, ...tile }, from)
  await visit('share.link.validate', { token, password }, { origin: '198.51.100.7' })
  house.clock.advance(63_000)
  await visit('share.link.validate', { token, password }, from)
})

test('20,000 guessed tokens exhaust the limit of their client and do not affect other clients', async () => {
  const { token } = await link()
  const from = { origin: '198.51.100.8' }
  let unknown = 0
  const guess = async (word: string): Promise<void> => {
    const tried = visit('share.tile.render', { token: word, password, ...tile }, from)
    const problem = await tried.catch((error: Problem) => error.problem)
    if (problem === 'not-found') unknown += 1
    else assert.equal(problem, 'rate-limited')
  }
  for (let at = 0; at < 20_000; at++) await guess(`guess ${at}`)
  for (let at = 0; at < 100; at++) await guess(`again ${at}`)
  assert.equal(unknown, 60)
  await assert.rejects(visit('share.link.validate', { token, password }, from), refused('rate-limited'))
  await visit('share.tile.render', { token, password, ...tile }, { origin: '198.51.100.9' })
  const [row] = await house.database.across.query<{ rows: number }>(sql`
    select count(*) as rows from rate_limit_counts where bucket like 'share-tiles %198.51.100.8'`)
  assert.equal(row?.rows, 0)
})

test('a link whose password is guessed from many clients still opens with the right password', async () => {
  const { token } = await link()
  const open = (origin: string, word: string) => visit('share.link.validate', { token, password: word }, { origin })
  const guess = (origin: string): Promise<unknown> =>
    open(origin, 'a wrong guess').catch((error: Problem) => error.problem)
  const outcomes: unknown[] = []
  for (let at = 0; at < 120; at++) outcomes.push(await guess(`attacker ${Math.floor(at / 20)}`))
  // Twenty from each client until a hundred are wrong; then three from each.
  assert.equal(outcomes.filter((problem) => problem === 'forbidden').length, 100 + 3)
  await open('viewer', password)
  await open('forgetful viewer', 'mistyped').catch(() => undefined)
  await open('forgetful viewer', password)
})

test('tiles are free by default; with a price the organization pays for each thousand', async () => {
  const { id, token } = await link()
  const { db, organization } = world.owner
  const entries = async () => (await listEntries(db, organization, { kind: null, limit: 1, offset: 0 })).total
  const begun = await entries()
  const draw = (more: Partial<Call> = {}) => visit<BytesAnswer>('share.tile.render', { token, password, ...tile }, more)
  await draw()
  assert.equal(await entries(), begun)
  const quotas = { ...world.owner.quotas, share_tiles_credits: 7 }
  const priced: Partial<Call> = {
    quotas,
    within: (other) => ({ ...world.owner.within(other), quotas }),
  }
  await assert.rejects(draw(priced), refused('insufficient-credits'))
  await world.owner.transaction((tx) =>
    grant(tx, world.owner, {
      kind: 'grant_manual',
      amount_credits: 20,
      reference: { type: 'adjustment', id: newId() },
      note: 'test',
    }),
  )
  await Promise.all([draw(priced), draw(priced), draw(priced)])
  const { available_credits } = await balance(db, organization, house.clock.of(organization).now())
  assert.equal(available_credits, 13)
  const counted = await get(id)
  assert.deepEqual([counted.cost_credits, counted.tile_count], [7, 4])
  const second = await link()
  await ask('share.link.update', { link_id: second.id, cost_cap_credits: 6 })
  await assert.rejects(
    visit('share.tile.render', { token: second.token, password, ...tile }, priced),
    refused('quota-exceeded'),
  )
})

test('a link opens no more often than its view cap', async () => {
  const { id, token } = await link()
  await ask('share.link.update', { link_id: id, view_cap: 3 })
  const session = await visit<ShareSession>('share.session.create', { token, password })
  const tries = await Promise.allSettled(
    Array.from({ length: 5 }, () => visit('share.link.validate', { token, password })),
  )
  assert.equal(tries.filter((one) => one.status === 'fulfilled').length, 2)
  for (const id of ['share.tilejson', 'share.items.list']) {
    await assert.rejects(visit(id, { token, password }), refused('quota-exceeded'))
    await visit(id, { token: session.token })
  }
  await assert.rejects(visit('share.tile.render', { token, password, ...tile }), refused('quota-exceeded'))
  await visit('share.tile.render', { token: session.token, ...tile })
  const { links, total } = await ask<{ links: SharedLink[]; total: number }>('share.link.list', {
    target_id: item_id,
    active: false,
  })
  assert.equal(links.length, total)
  assert.ok(links.some((one) => one.id === id))
})

test('a download needs a link with the download permission that is still active', async () => {
  const view = await link()
  const input = { item_id, asset_id: asset.id }
  await assert.rejects(visit('share.asset.download', { token: view.token, password, ...input }), refused('forbidden'))
  const { id, token } = await link({ permission: 'download' })
  const { url } = await visit<{ url: string }>('share.asset.download', { token, password, ...input })
  const ticket = new URL(url).searchParams.get('ticket')!
  assert.equal(ticket, `asset:${asset.id}:link:${id}`)
  const { database, clock, blobs } = house
  const { quotas, signer } = world.owner
  const log = { warn: () => {} } as never
  const meter = openEgressMeter({ database, clock, log })
  const doors = openDownloads({ database, clock, blobs, quotas, signer }, meter)
  const terms = { path: asset.blob_path, ticket }
  await doors.admit(terms)
  doors.note(terms, 1000, false)
  doors.note(terms, 234, true)
  await meter.flush()
  const counted = await get(id)
  assert.deepEqual([counted.download_count, counted.sent_bytes], [1, 1234])
  const { links } = await ask<{ links: SharedLink[] }>('share.link.list', { target_id: item_id })
  const sent = (link_id: string) => links.find((one) => one.id === link_id)?.sent_bytes
  assert.deepEqual([sent(id), sent(view.id)], [1234, 0])
  const foreign = await deliver(world.owner, world.project, { assets: [] })
  await assert.rejects(
    visit('share.asset.download', { token, password, item_id: foreign.item_id, asset_id: asset.id }),
    refused('not-found'),
  )
  await ask('share.link.revoke', { link_id: id })
  await assert.rejects(doors.admit(terms), refused('gone-expired'))
})

test('an item of another collection answers not-found even if its retention has ended', async () => {
  const elsewhere = await deliver(world.owner, world.project)
  const here = await deliver(world.owner, world.project)
  await house.database.across.query(sql`
    update items set expires_at = ${new Date(0)} where id = any(${[elsewhere.item_id, here.item_id]}::uuid[])`)
  const { token } = await link({ target_type: 'collection', target_id: here.collection_id, permission: 'download' })
  const fetching = (item: string) =>
    visit('share.asset.download', { token, password, item_id: item, asset_id: asset.id })
  await assert.rejects(fetching(elsewhere.item_id), refused('not-found'))
  await assert.rejects(fetching(newId()), refused('not-found'))
  await assert.rejects(fetching(here.item_id), refused('gone-retention'))
})

test('two concurrent updates of different fields of a link both take effect', async () => {
  const { id } = await link()
  await Promise.all([
    ask('share.link.update', { link_id: id, view_cap: 5 }),
    ask('share.link.update', { link_id: id, permission: 'download' }),
  ])
  const { view_cap, permission } = await get(id)
  assert.deepEqual([view_cap, permission], [5, 'download'])
})

test('a link to a deleted collection answers not-found', async () => {
  const own = await deliver(world.owner, world.project)
  const { token } = await link({ target_type: 'collection', target_id: own.collection_id })
  await removeCollection.answer(world.owner, {
    project_id: world.project,
    collection_id: own.collection_id,
  } as never)
  await assert.rejects(visit('share.link.validate', { token, password }), refused('not-found'))
})
