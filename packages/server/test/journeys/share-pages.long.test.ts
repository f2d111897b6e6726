import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import type { Client } from '@swath/client/client.ts'
import { createManualClock, systemClock } from '../../src/platform/clock.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { placeSceneOrder, waitForOrder } from '../orders.ts'
import { createTestOrganization } from '../test-organizations.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

const clock = createManualClock(systemClock.now())
const password = 'let me see it'
const name = `<script>alert('x')</script> & "Exe"`

let app: TestApp
let client: Client
let organization: string
let item_id: string
before(async () => {
  app = await startTestApp({ clock })
  const org = await createTestOrganization(app, 0)
  client = org.owner.client
  organization = org.organization
  const order_id = await placeSceneOrder(client, 'open', ['hls-exe-20210613'])
  await waitForOrder(client, order_id, 'FULFILLED')
  item_id = (await client.call('orders.list_assets', { order_id })).features[0]!.item_id
  await client.call('items.update', { item_id, name })
})
after(() => app?.close())

interface ShareLink {
  readonly id: string
  readonly token: string
  readonly url: string
}

const createShareLink = (overrides: object = {}): Promise<ShareLink> =>
  client.call<ShareLink>('share.link.create', {
    target_type: 'item',
    target_id: item_id,
    permission: 'download',
    password,
    expires_at: new Date(clock.now().getTime() + 24 * hour_ms).toISOString(),
    ...overrides,
  })

const fetchPage = (url: string): Promise<Response> =>
  fetch(url, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, redirect: 'manual' })

const submitPassword = (url: string, enteredPassword: string): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ password: enteredPassword }), redirect: 'manual' })

/** Returns the page after checking the headers and markup common to all pages of a share link. */
async function readPage(response: Response, status: number): Promise<string> {
  const html = await response.text()
  assert.equal(response.status, status, html.slice(0, 500))
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal(response.headers.get('x-robots-tag'), 'noindex, nofollow')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  const policy = response.headers.get('content-security-policy') ?? ''
  // Pages that are opened have a script if the console was built; answers to a form never have one.
  assert.match(policy, /^default-src 'none'; (?:img-src 'self'; style-src 'sha256-[\w+/=]+'|script-src 'self'); /)
  assert.match(policy, /form-action 'self'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  assert.match(html, /<meta name="robots" content="noindex, nofollow"[ /]*>/)
  assert.doesNotMatch(html, /<script(?! type="module" crossorigin src="\/console\/)|\son\w+=|\sstyle=/i)
  assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//i)
  return html
}

test('the URL of a share link shows a password form and nothing else', async () => {
  const { url } = await createShareLink()
  const html = await readPage(await fetchPage(url), 200)
  assert.match(html, /<form method="post">/)
  assert.doesNotMatch(html, /Exe|Fetch|expires on/)
  const jsonResponse = await fetch(url, { headers: { accept: 'application/json' } })
  assert.equal(jsonResponse.status, 404)
  assert.match(jsonResponse.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.doesNotMatch(await jsonResponse.text(), /swathshare/)
})

test('with the password the page shows the item, its tiles and its downloads', async () => {
  const { url, id } = await createShareLink()
  await readPage(await submitPassword(url, 'wrong password'), 403)
  const html = await readPage(await submitPassword(url, password), 200)
  assert.ok(html.includes('&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;Exe&quot;'), html)
  const { link } = await client.call<{ link: { expires_at: string; access_count: number } }>('share.link.get', {
    link_id: id,
  })
  assert.equal(link.access_count, 1)
  assert.ok(html.includes(`<time datetime="${link.expires_at}">`))
  assert.match(html, /<svg viewBox="0 0 320 \d+".*<path [^>]*d="M[\d. LMZ]+Z"/)
  const sources = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, source = '']) => source.replaceAll('&amp;', '&'))
  assert.ok(sources.length >= 1 && sources.length <= 4)
  for (const source of sources) {
    const tile = await fetch(`${app.url}${source}`)
    assert.equal(tile.headers.get('content-type'), 'image/png')
    await tile.arrayBuffer()
  }
  const [, file = ''] = /<a href="(\/share\/download[^"]+)"/.exec(html) ?? []
  const downloadRedirect = await fetchPage(`${app.url}${file.replaceAll('&amp;', '&')}`)
  assert.equal(downloadRedirect.status, 303)
  const rangeResponse = await fetch(downloadRedirect.headers.get('location')!, { headers: { range: 'bytes=0-99' } })
  assert.equal((await rangeResponse.arrayBuffer()).byteLength, 100)
})

test('a link with a view cap of two shows its page twice', async () => {
  const { url, id } = await createShareLink()
  await client.call('share.link.update', { link_id: id, view_cap: 2 })
  for (let view = 0; view < 2; view++)
    assert.match(await readPage(await submitPassword(url, password), 200), /expires on/)
  await readPage(await submitPassword(url, password), 429)
})

test('a page shows the rest if the visualization profile no longer fits the item', async () => {
  const { url } = await createShareLink()
  const { id } = await client.call<{ id: string }>('visualization.profile.create', {
    item_id,
    name: 'once',
    type: 'singleband',
    is_default: true,
    config: { bands: [1] },
  })
  await app.database.unscoped.query(sql`update visualization_profiles set config = '{"bands":[99]}' where id = ${id}`)
  const html = await readPage(await submitPassword(url, password), 200)
  assert.match(html, /expires on/)
  assert.doesNotMatch(html, /class="tiles"/)
  await client.call('visualization.profile.delete', { item_id, profile_id: id })
})

test('a link with view permission offers no downloads', async () => {
  const { url } = await createShareLink({ permission: 'view' })
  assert.doesNotMatch(await readPage(await submitPassword(url, password), 200), /<a /)
})

test('the pages of unknown, revoked and expired links reveal nothing about the link', async () => {
  const unknownUrl = `${app.url}/share/swathshare_${'a'.repeat(32)}`
  const revokedLink = await createShareLink()
  await client.call('share.link.revoke', { link_id: revokedLink.id })
  const expiringLink = await createShareLink()
  clock.advance(25 * hour_ms, organization)
  for (const [url, status, expectedText] of [
    [unknownUrl, 404, /does not exist/],
    [`${app.url}/share/none`, 404, /does not exist/],
    [revokedLink.url, 410, /no longer valid/],
    [expiringLink.url, 410, /no longer valid/],
  ] as const) {
    for (const response of [await fetchPage(url), await submitPassword(url, password)]) {
      const [, body = ''] = (await readPage(response, status)).split('</head>')
      // The script of the page gets the problem, which does not reveal either which of both happened.
      const html = body.replace('data-problem="gone-expired"', '')
      assert.match(html, expectedText)
      assert.doesNotMatch(html, /Exe|<form|revoked|expired|token|password/)
    }
  }
})

test('page views count as visits and are rate limited', async () => {
  const statuses = new Set<number>()
  for (let count = 0; count < 61; count++) statuses.add((await fetchPage(`${app.url}/share/none`)).status)
  assert.deepEqual([...statuses], [404, 429])
  const response = await fetchPage(`${app.url}/share/none`)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
  assert.match(await readPage(response, 429), /Too many visits/)
})
