import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { SharedItem, ShareLinkDetails, ShareSession } from '@swath/contract/schemas/share-link.ts'
import { findTileAt } from '@swath/geo/tile-grid.ts'
import type { BytesResponse } from '../../engine/operation-response.ts'
import type { Call } from '../../engine/call.ts'
import type { OperationHandler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { readCallInput } from '../../engine/input/read-input.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { deliverItem, openTestServices } from '../../../test/test-services.ts'
import { decodePng, sceneInput, sceneBands, storeRasterAsset } from '../../../test/rasters.ts'
import { handler as collectionsDelete } from '../collections/operations/collections.delete.ts'
import { createAnonymousPrincipal } from '../identity/principals.ts'
import { handler as itemsTileRender } from '../tiles/operations/items.tile.render.ts'
import { readWalletBalance, grantCredits } from '../ledger/ledger.ts'
import { listJournalEntries } from '../ledger/store.entries.ts'
import { createEgressMeter } from '../usage/egress-meter.ts'
import { createDownloadAuthorizer } from './download-authorizer.ts'
import { operationHandlers } from '../handlers.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
let fixture: Awaited<ReturnType<typeof app.createOrganization>>
let collection_id: string
let item_id: string
let asset: Awaited<ReturnType<typeof storeRasterAsset>>
const tile = findTileAt(10.45, 50.52, 14)
const password = 'let me see it'

before(async () => {
  app = await openTestServices()
  fixture = await app.createOrganization()
  const stored = await storeRasterAsset(app.blobs, sceneInput, sceneBands)
  asset = { ...stored, blob_path: `organizations/${fixture.organization}/${stored.blob_path}` }
  const bytes = await app.blobs.read(stored.blob_path, 0, stored.file_size_bytes)
  await app.blobs.putBytes(asset.blob_path, bytes, stored.media_type)
  const delivered = await deliverItem(fixture.owner, fixture.project, {
    assets: [asset],
    datetime: new Date('2024-01-01T00:00:00Z'),
  })
  collection_id = delivered.collection_id
  item_id = delivered.item_id
})
after(() => app?.close())

/** Invokes a handler with validated input, as the pipeline does. */
const invoke = async <T>(id: string, input: object, call: Call = fixture.owner): Promise<T> => {
  const handler: OperationHandler = operationHandlers.get(id)!
  return (await handler.handle(
    { ...call, operation: id },
    readCallInput(handler.operation, { ...input }) as never,
  )) as T
}

/** A call without an account, which belongs to no organization. */
const visitorCall = (more: Partial<Call> = {}): Call => {
  const { db: _, transaction: __, ...call } = fixture.owner
  return { ...call, principal: createAnonymousPrincipal('shares:read'), organization: '', ...more } as Call
}
/** Each visit comes from its own client unless `rateLimitKey` is passed. */
const invokeAsVisitor = <T>(id: string, input: object, more: Partial<Call> = {}): Promise<T> =>
  invoke<T>(id, input, visitorCall({ rateLimitKey: newId(), ...more }))

const hasProblem = (problem: string) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.problem, problem, error.message)
  return true
}

interface CreatedLink {
  readonly id: string
  readonly token: string
  readonly url: string
}

const inDays = (days: number): string => new Date(app.clock.now().getTime() + days * day_ms).toISOString()

const createTestLink = (more: object = {}, call: Call = fixture.owner): Promise<CreatedLink> => {
  const createInput = { target_type: 'item', target_id: item_id, password, expires_at: inDays(7), ...more }
  return invoke('share.link.create', createInput, call)
}
const getTestLink = async (id: string): Promise<ShareLinkDetails> =>
  (await invoke<{ link: ShareLinkDetails }>('share.link.get', { link_id: id })).link

test('a link opens with its password until it is revoked or expires', async () => {
  const { id, token, url } = await createTestLink()
  assert.equal(url, `http://localhost:8080/share/${token}`)
  const validated = await invokeAsVisitor<{ permission: string; target: SharedItem }>('share.link.validate', {
    token,
    password,
  })
  assert.deepEqual([validated.permission, validated.target.id, validated.target.assets], ['view', item_id, []])
  await assert.rejects(
    invokeAsVisitor('share.link.validate', { token, password: 'not this one' }),
    hasProblem('forbidden'),
  )
  await assert.rejects(invokeAsVisitor('share.link.validate', { token }), hasProblem('forbidden'))
  for (const other of [`${token.slice(0, -1)}_`, `swathshare_${'x'.repeat(32)}`, 'rubbish', '\u0000', id])
    await assert.rejects(invokeAsVisitor('share.link.validate', { token: other, password }), hasProblem('not-found'))
  assert.equal((await getTestLink(id)).access_count, 1)
  await invoke('share.link.revoke', { link_id: id })
  await assert.rejects(invokeAsVisitor('share.link.validate', { token, password }), hasProblem('gone-expired'))
  await assert.rejects(
    invokeAsVisitor('share.link.validate', { token, password: 'not this one' }),
    hasProblem('gone-expired'),
  )
  assert.equal((await getTestLink(id)).active, false)
  await assert.rejects(invoke('share.link.update', { link_id: id, view_cap: 1 }), hasProblem('invalid-state'))
})

test('the stored rows of a link contain neither its token nor its password', async () => {
  const { token } = await createTestLink()
  const rows = JSON.stringify(await app.database.unscoped.query(sql`select * from share_links`))
  const hashes = JSON.stringify(await app.database.unscoped.query(sql`select * from share_token_directory`))
  assert.ok(!rows.includes(token) && !hashes.includes(token) && !rows.includes(password))
  assert.match(rows, /\$argon2id\$/)
})

test('share.link.create requires write permission, an existing target and an expiry in the future', async () => {
  const member = await fixture.createMemberCall('member')
  await assert.rejects(
    invoke('share.link.create', { target_type: 'item', target_id: item_id, password, expires_at: inDays(1) }, member),
    hasProblem('not-a-member'),
  )
  await assert.rejects(createTestLink({ target_id: newId() }), hasProblem('not-found'))
  await assert.rejects(createTestLink({ target_type: 'collection' }), hasProblem('not-found'))
  await assert.rejects(createTestLink({ expires_at: inDays(-1) }), hasProblem('validation'))
  await assert.rejects(createTestLink({ password: 'ä'.repeat(600) }), hasProblem('validation'))
  const other = await app.createOrganization()
  await assert.rejects(
    invoke('share.link.revoke', { link_id: (await createTestLink()).id }, other.owner),
    hasProblem('not-found'),
  )
})

test('a link expires after at most a year', async () => {
  const { id } = await createTestLink({ expires_at: inDays(366) })
  for (const expires_at of [inDays(366.01), '2100-01-01T00:00:00Z']) {
    await assert.rejects(createTestLink({ expires_at }), hasProblem('validation'))
    await assert.rejects(invoke('share.link.update', { link_id: id, expires_at }), hasProblem('validation'))
  }
})

test('a link that an API key created ends with the key', async () => {
  for (const ending of ['revoked_at', 'expires_at'] as const) {
    const key = await callWithApiKey()
    const { id, token } = await createTestLink({}, key)
    const download = await createTestLink({ permission: 'download' }, key)
    const downloadInput = { token: download.token, password, item_id, asset_id: asset.id }
    const { url } = await invokeAsVisitor<{ url: string }>('share.asset.download', downloadInput)
    const session = await invokeAsVisitor<ShareSession>('share.session.create', { token, password })
    await invokeAsVisitor('share.link.validate', { token, password })
    assert.equal((await getTestLink(id)).active, true)
    const at = new Date(app.clock.now().getTime() + (ending === 'expires_at' ? 1000 : 0))
    const column = sql.identifier(ending, ['revoked_at', 'expires_at'])
    await app.database.unscoped.query(sql`update api_keys set ${column} = ${at} where id = ${key.principal.id}`)
    app.clock.advance(1000)
    await assert.rejects(invokeAsVisitor('share.link.validate', { token, password }), hasProblem('gone-expired'))
    await assert.rejects(
      invokeAsVisitor('share.tile.render', { token: session.token, ...tile }),
      hasProblem('gone-expired'),
    )
    assert.equal((await getTestLink(id)).active, false)
    const { links } = await invoke<{ links: ShareLinkDetails[] }>('share.link.list', {
      target_id: item_id,
      active: true,
    })
    assert.ok(links.every((one) => one.id !== id))
    const downloads = createDownloadAuthorizer(
      { ...fixture.owner, ...app },
      createEgressMeter({ ...app, log: {} as never }),
    )
    const ticket = new URL(url).searchParams.get('ticket')!
    await assert.rejects(downloads.authorize({ path: asset.blob_path, ticket }), hasProblem('gone-expired'))
  }
})

test('an API key cannot update a link that it did not create', async () => {
  const key = await callWithApiKey()
  const own = await createTestLink({}, key)
  await invoke('share.link.update', { link_id: own.id, view_cap: 9 }, key)
  const theirs = await createTestLink()
  const takeover = { link_id: theirs.id, password: 'a password of the thief' }
  await assert.rejects(invoke('share.link.update', takeover, key), hasProblem('user-required'))
  await invokeAsVisitor('share.link.validate', { token: theirs.token, password })
})

/** A call with an API key that the owner created. */
async function callWithApiKey(): Promise<Call> {
  const { organization, user } = fixture.owner.principal
  const id = newId()
  await app.database.unscoped.query(sql`
    insert into api_keys (organization_id, id, name, prefix, last_four, permissions, created_by, created_at)
    values (${organization}, ${id}, 'Key', 'x', 'x', '{can_write}', ${user}, ${app.clock.now()})`)
  return app.createCall({ ...fixture.owner.principal, kind: 'api_key', id, role: null })
}

test('a session renders tiles without the password until the password changes, an hour passes or the link expires', async () => {
  const { id, token } = await createTestLink()
  const startSession = () => invokeAsVisitor<ShareSession>('share.session.create', { token, password })
  const session = await startSession()
  assert.equal(session.expires_in_seconds, 3600)
  const rendered = await invokeAsVisitor<BytesResponse>('share.tile.render', { token: session.token, ...tile })
  const own = (await itemsTileRender.handle(fixture.owner, {
    item_id,
    ...tile,
    format: 'png',
    quality: 75,
    scale: 1,
  } as never)) as BytesResponse
  assert.deepEqual(rendered.body, own.body)
  const forged = session.token.replace(/-([0-9a-z]+)-([\w-]{43})$/, '-zzzzzzz-$2')
  await assert.rejects(invokeAsVisitor('share.tile.render', { token: forged, ...tile }), hasProblem('not-found'))
  const described = await invokeAsVisitor<{ tiles: string[] }>('share.tilejson', { token: session.token })
  assert.ok(described.tiles[0]!.includes(session.token), 'a session cannot be extended')
  await invoke('share.link.update', { link_id: id, password: 'another password' })
  await assert.rejects(
    invokeAsVisitor('share.tile.render', { token: session.token, ...tile }),
    hasProblem('gone-expired'),
  )
  await assert.rejects(startSession(), hasProblem('forbidden'))
  const renewed = await invokeAsVisitor<ShareSession>('share.session.create', { token, password: 'another password' })
  app.clock.advance(3_600_000)
  await assert.rejects(
    invokeAsVisitor('share.tile.render', { token: renewed.token, ...tile }),
    hasProblem('gone-expired'),
  )
  app.clock.advance(7 * day_ms)
  await assert.rejects(
    invokeAsVisitor('share.session.create', { token, password: 'another password' }),
    hasProblem('gone-expired'),
  )
})

test('a link from before the natural stretch shows items as they were, a new one as the platform does', async () => {
  const { id, token } = await createTestLink()
  const { token: session } = await invokeAsVisitor<ShareSession>('share.session.create', { token, password })
  const render = async () =>
    (await invokeAsVisitor<BytesResponse>('share.tile.render', { token: session, ...tile })).body
  const renderItem = async (stretch: string) =>
    (await invoke<BytesResponse>('items.tile.render', { item_id, ...tile, format: 'png', quality: 75, stretch })).body
  assert.deepEqual(await render(), await renderItem('natural'))
  await app.database.runScript(`update share_links set default_stretch = 'linear' where id = '${id}'`)
  assert.deepEqual(await render(), await renderItem('linear'))
  assert.notDeepEqual(await renderItem('linear'), await renderItem('natural'))
})

test('a session cannot be extended', async () => {
  const { token } = await createTestLink()
  const first = await invokeAsVisitor<ShareSession>('share.session.create', { token, password })
  app.clock.advance(3_000_000)
  const renewed = await invokeAsVisitor<ShareSession>('share.session.create', { token: first.token })
  assert.deepEqual(
    [renewed.token, renewed.expires_at, renewed.expires_in_seconds],
    [first.token, first.expires_at, 600],
  )
  app.clock.advance(601_000)
  await assert.rejects(invokeAsVisitor('share.session.create', { token: first.token }), hasProblem('gone-expired'))
})

test('a collection tile shows the newest item first, without deleted or expired items', async () => {
  const add = async (year: number) =>
    (
      await deliverItem(fixture.owner, fixture.project, {
        collection_id,
        assets: [{ ...asset, id: newId() }],
        datetime: new Date(`${year}-01-01T00:00:00Z`),
      })
    ).item_id
  const [oldest, newest] = [await add(2020), await add(2025)]
  const { token } = await createTestLink({ target_type: 'collection', target_id: collection_id })
  const ids = async () =>
    (await invokeAsVisitor<{ items: SharedItem[] }>('share.items.list', { token, password })).items.map(
      (item) => item.id,
    )
  assert.deepEqual(await ids(), [newest, item_id, oldest])
  const rendered = await invokeAsVisitor<BytesResponse>('share.tile.render', { token, password, ...tile })
  assert.equal(decodePng(rendered.body).pixelAt(128, 128)[3], 255)
  const alone = { token, password, item_id: oldest, profile: null, ...tile }
  assert.equal(decodePng((await invokeAsVisitor<BytesResponse>('share.tile.render', alone)).body).width, 256)
  const foreign = { ...alone, item_id: newId() }
  await assert.rejects(invokeAsVisitor('share.tile.render', foreign), hasProblem('not-found'))
  const far = await invokeAsVisitor<BytesResponse>('share.tile.render', { token, password, z: 10, x: 0, y: 0 })
  assert.deepEqual(decodePng(far.body).pixelAt(128, 128), [0, 0, 0, 0])
  const described = await invokeAsVisitor<{ bounds: number[]; tiles: string[] }>('share.tilejson', { token, password })
  assert.match(described.tiles[0]!, /\/api\/v1\/share\/tiles\/\{z\}\/\{x\}\/\{y\}\.png\?token=swathvisit_[\w-]+$/)
  assert.equal(described.bounds.length, 4)
})

test('visits of one client are rate limited; its sessions continue to work', async () => {
  const { token } = await createTestLink()
  const client = { rateLimitKey: '198.51.100.6' }
  const { token: session } = await invokeAsVisitor<ShareSession>('share.session.create', { token, password }, client)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 70 }, (_, at) =>
      invokeAsVisitor('share.link.validate', { token: `wrong ${at}`, password }, client),
    ),
  )
  const limited = outcomes.filter((one) => one.status === 'rejected' && one.reason.problem === 'rate-limited')
  assert.equal(limited.length, 11)
  await assert.rejects(invokeAsVisitor('share.link.validate', { token, password }, client), hasProblem('rate-limited'))
  await invokeAsVisitor('share.tile.render', { token: session, ...tile }, client)
  await invokeAsVisitor('share.link.validate', { token, password }, { rateLimitKey: '198.51.100.7' })
  app.clock.advance(63_000)
  await invokeAsVisitor('share.link.validate', { token, password }, client)
})

test('20,000 guessed tokens exhaust the limit of their client and do not affect other clients', async () => {
  const { token } = await createTestLink()
  const client = { rateLimitKey: '198.51.100.8' }
  let unknown = 0
  const guess = async (word: string): Promise<void> => {
    const tried = invokeAsVisitor('share.tile.render', { token: word, password, ...tile }, client)
    const problem = await tried.catch((error: Problem) => error.problem)
    if (problem === 'not-found') unknown += 1
    else assert.equal(problem, 'rate-limited')
  }
  for (let at = 0; at < 20_000; at++) await guess(`guess ${at}`)
  for (let at = 0; at < 100; at++) await guess(`again ${at}`)
  assert.equal(unknown, 60)
  await assert.rejects(invokeAsVisitor('share.link.validate', { token, password }, client), hasProblem('rate-limited'))
  await invokeAsVisitor('share.tile.render', { token, password, ...tile }, { rateLimitKey: '198.51.100.9' })
  const [row] = await app.database.unscoped.query<{ rows: number }>(sql`
    select count(*) as rows from rate_limit_counts where bucket like 'share-tiles %198.51.100.8'`)
  assert.equal(row?.rows, 0)
})

test('a link whose password is guessed from many clients still opens with the right password', async () => {
  const { token } = await createTestLink()
  const open = (origin: string, word: string) =>
    invokeAsVisitor('share.link.validate', { token, password: word }, { rateLimitKey: origin })
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
  const { id, token } = await createTestLink()
  const { db, organization } = fixture.owner
  const entries = async () => (await listJournalEntries(db, organization, { kind: null, limit: 1, offset: 0 })).total
  const entriesBefore = await entries()
  const renderTile = (more: Partial<Call> = {}) =>
    invokeAsVisitor<BytesResponse>('share.tile.render', { token, password, ...tile }, more)
  await renderTile()
  assert.equal(await entries(), entriesBefore)
  const quotas = { ...fixture.owner.quotas, share_tiles_credits: 7 }
  const priced: Partial<Call> = {
    quotas,
    asOrganization: (other) => ({ ...fixture.owner.asOrganization(other), quotas }),
  }
  await assert.rejects(renderTile(priced), hasProblem('insufficient-credits'))
  await fixture.owner.transaction((tx) =>
    grantCredits(tx, fixture.owner, {
      kind: 'grant_manual',
      amount_credits: 20,
      reference: { type: 'adjustment', id: newId() },
      note: 'test',
    }),
  )
  await Promise.all([renderTile(priced), renderTile(priced), renderTile(priced)])
  const { available_credits } = await readWalletBalance(db, organization, app.clock.forOrganization(organization).now())
  assert.equal(available_credits, 13)
  const linkWithCounters = await getTestLink(id)
  assert.deepEqual([linkWithCounters.cost_credits, linkWithCounters.tile_count], [7, 4])
  const second = await createTestLink()
  await invoke('share.link.update', { link_id: second.id, cost_cap_credits: 6 })
  await assert.rejects(
    invokeAsVisitor('share.tile.render', { token: second.token, password, ...tile }, priced),
    hasProblem('quota-exceeded'),
  )
})

test('a link opens no more often than its view cap', async () => {
  const { id, token } = await createTestLink()
  await invoke('share.link.update', { link_id: id, view_cap: 3 })
  const session = await invokeAsVisitor<ShareSession>('share.session.create', { token, password })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => invokeAsVisitor('share.link.validate', { token, password })),
  )
  assert.equal(outcomes.filter((one) => one.status === 'fulfilled').length, 2)
  for (const id of ['share.tilejson', 'share.items.list']) {
    await assert.rejects(invokeAsVisitor(id, { token, password }), hasProblem('quota-exceeded'))
    await invokeAsVisitor(id, { token: session.token })
  }
  await assert.rejects(invokeAsVisitor('share.tile.render', { token, password, ...tile }), hasProblem('quota-exceeded'))
  await invokeAsVisitor('share.tile.render', { token: session.token, ...tile })
  const { links, total } = await invoke<{ links: ShareLinkDetails[]; total: number }>('share.link.list', {
    target_id: item_id,
    active: false,
  })
  assert.equal(links.length, total)
  assert.ok(links.some((one) => one.id === id))
})

test('a download needs a link with the download permission that is still active', async () => {
  const view = await createTestLink()
  const input = { item_id, asset_id: asset.id }
  await assert.rejects(
    invokeAsVisitor('share.asset.download', { token: view.token, password, ...input }),
    hasProblem('forbidden'),
  )
  const { id, token } = await createTestLink({ permission: 'download' })
  const { url } = await invokeAsVisitor<{ url: string }>('share.asset.download', { token, password, ...input })
  const ticket = new URL(url).searchParams.get('ticket')!
  assert.equal(ticket, `asset:${asset.id}:link:${id}`)
  const { database, clock, blobs } = app
  const { quotas, signer } = fixture.owner
  const log = { warn: () => {} } as never
  const meter = createEgressMeter({ database, clock, log })
  const downloads = createDownloadAuthorizer({ database, clock, blobs, quotas, signer }, meter)
  const createInput = { path: asset.blob_path, ticket }
  await downloads.authorize(createInput)
  downloads.recordEgress(createInput, 1000, false)
  downloads.recordEgress(createInput, 234, true)
  await meter.flush()
  const linkWithCounters = await getTestLink(id)
  assert.deepEqual([linkWithCounters.download_count, linkWithCounters.sent_bytes], [1, 1234])
  const { links } = await invoke<{ links: ShareLinkDetails[] }>('share.link.list', { target_id: item_id })
  const sent = (link_id: string) => links.find((one) => one.id === link_id)?.sent_bytes
  assert.deepEqual([sent(id), sent(view.id)], [1234, 0])
  const foreign = await deliverItem(fixture.owner, fixture.project, { assets: [] })
  await assert.rejects(
    invokeAsVisitor('share.asset.download', { token, password, item_id: foreign.item_id, asset_id: asset.id }),
    hasProblem('not-found'),
  )
  await invoke('share.link.revoke', { link_id: id })
  await assert.rejects(downloads.authorize(createInput), hasProblem('gone-expired'))
})

test('an item of another collection answers not-found even if its retention has ended', async () => {
  const elsewhere = await deliverItem(fixture.owner, fixture.project)
  const here = await deliverItem(fixture.owner, fixture.project)
  await app.database.unscoped.query(sql`
    update items set expires_at = ${new Date(0)} where id = any(${[elsewhere.item_id, here.item_id]}::uuid[])`)
  const { token } = await createTestLink({
    target_type: 'collection',
    target_id: here.collection_id,
    permission: 'download',
  })
  const download = (item: string) =>
    invokeAsVisitor('share.asset.download', { token, password, item_id: item, asset_id: asset.id })
  await assert.rejects(download(elsewhere.item_id), hasProblem('not-found'))
  await assert.rejects(download(newId()), hasProblem('not-found'))
  await assert.rejects(download(here.item_id), hasProblem('gone-retention'))
})

test('two concurrent updates of different fields of a link both take effect', async () => {
  const { id } = await createTestLink()
  await Promise.all([
    invoke('share.link.update', { link_id: id, view_cap: 5 }),
    invoke('share.link.update', { link_id: id, permission: 'download' }),
  ])
  const { view_cap, permission } = await getTestLink(id)
  assert.deepEqual([view_cap, permission], [5, 'download'])
})

test('a link to a deleted collection answers not-found', async () => {
  const own = await deliverItem(fixture.owner, fixture.project)
  const { token } = await createTestLink({ target_type: 'collection', target_id: own.collection_id })
  await collectionsDelete.handle(fixture.owner, {
    project_id: fixture.project,
    collection_id: own.collection_id,
  } as never)
  await assert.rejects(invokeAsVisitor('share.link.validate', { token, password }), hasProblem('not-found'))
})
