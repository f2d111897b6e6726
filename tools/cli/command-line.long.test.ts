import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readStream } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createConfig, runCli, type CliOptions, type CliResult } from '../../packages/cli/test/run-cli.ts'
import { verifyWebhook } from '../../packages/client/src/webhooks/verify-webhook.ts'
import { createTestSandbox } from '../../packages/server/test/sandbox/sandboxes.ts'
import { startTestApp, type TestApp } from '../../packages/server/test/test-app.ts'
import {
  createTestOrganization,
  testPassword,
  type TestOrganization,
} from '../../packages/server/test/test-organizations.ts'

const signingSecret = `whsec_${Buffer.from('a secret of the test').toString('base64')}`
let app: TestApp
let org: TestOrganization
let folder: string
const env: Record<string, string> = { ...createConfig(), SWATH_WEBHOOK_SECRET: signingSecret }
before(async () => {
  app = await startTestApp()
  org = await createTestOrganization(app, 100_000)
  folder = await mkdtemp(join(tmpdir(), 'swath-journey-'))
})
after(async () => {
  await app?.close()
  if (folder) await rm(folder, { recursive: true })
})

const swath = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  runCli(args, { env, ...options })

/** Runs a command that must succeed, and returns its JSON. */
async function ok<T = Record<string, unknown>>(...args: string[]): Promise<T> {
  const { code, out, err } = await swath(args)
  assert.equal(code, 0, `${args.join(' ')}: ${err}`)
  return JSON.parse(out) as T
}

const balance = async (): Promise<number> => (await ok<{ available_credits: number }>('billing', 'credits', 'balance')).available_credits // prettier-ignore

test('a person signs in with a password that is piped in, and is asked for no more', async () => {
  const wrong = await swath(['login', '--address', app.url, '--username', org.owner.email, '--password-stdin'], { input: 'no' }) // prettier-ignore
  assert.equal(wrong.code, 3, wrong.err)
  const { code, err } = await swath(['login', '--address', app.url, '--username', org.owner.email, '--password-stdin'], { input: `${testPassword}\n` }) // prettier-ignore
  assert.equal(code, 0, err)
  const me = await ok('whoami')
  assert.deepEqual([me['email'], me['available_credits'], me['server']], [org.owner.email, 100_000, app.url])
})

test('two commands at once refresh the session once, and both work', async () => {
  const path = join(env['SWATH_CONFIG_DIR']!, 'secrets.json')
  const secrets = JSON.parse(await readFile(path, 'utf8')) as { default: string }
  const session = { ...(JSON.parse(secrets.default) as object), expires_at_ms: 0 }
  await writeFile(path, JSON.stringify({ default: JSON.stringify(session) }))
  const results = await Promise.all([ok('whoami'), ok('whoami'), ok('projects', 'list')])
  assert.equal(results.length, 3)
})

let order: string

test('scenes are found by place, priced, and bought at the price that was shown', async () => {
  const { features } = await ok<{ features: { id: string }[] }>('search', 'Bolzano', '--cloud', '20')
  assert.ok(features.some(({ id }) => id === 's2-bolzano-20220612'))
  assert.equal((await swath(['search', 'Nowhereville'])).code, 5)
  const { total_credits } = await ok<{ total_credits: number }>('price', 'naip-va-17n')
  assert.ok(total_credits > 0)
  const before = await balance()
  const unasked = await swath(['buy', 'naip-va-17n'])
  assert.deepEqual([unasked.code, unasked.out], [2, ''])
  assert.match(unasked.err, new RegExp(`Buy for ${total_credits} credits.*--yes; nothing was done`))
  assert.equal((await swath(['buy', 'naip-va-17n', '--yes', '--max-credits', String(total_credits - 1)])).code, 4)
  await ok('buy', 'naip-va-17n', '--dry-run')
  assert.equal(await balance(), before)
  order = (await ok<{ id: string }>('buy', 'naip-va-17n', '--yes', '--max-credits', String(total_credits))).id
  assert.equal(await balance(), before - total_credits)
})

test('an order is waited for, downloaded, and synchronized: what is there is verified and left', async () => {
  const late = await swath(['wait', 'order', order, '--timeout', '0'])
  assert.ok([0, 7].includes(late.code), late.err)
  assert.equal((await ok('wait', order))['status'], 'FULFILLED')
  const first = await ok<{ state: string; path: string }[]>('sync', join(folder, 'scenes'), 'order', order)
  assert.ok(first.length > 0 && first.every(({ state }) => state === 'downloaded'))
  const damaged = join(folder, 'scenes', first[0]!.path)
  const whole = await readFile(damaged)
  await writeFile(damaged, Buffer.alloc(whole.length))
  const second = await ok<{ state: string; path: string }[]>('sync', join(folder, 'scenes'), order)
  assert.deepEqual(
    second.filter(({ state }) => state === 'downloaded').map(({ path }) => path),
    [first[0]!.path],
  )
  assert.deepEqual(await readFile(damaged), whole)
  const downloaded = await ok<unknown[]>('download', order, '--to', join(folder, 'other'))
  assert.equal(downloaded.length, first.length)
})

test('sync deletes what left the source only with --delete, and nothing that it has not put there', async () => {
  const { features } = await ok<{ features: { item_id: string }[] }>('orders', 'list-assets', '--order-id', order)
  const target = join(folder, 'project')
  const before = await ok<unknown[]>('sync', target, 'project', org.project)
  await writeFile(join(target, 'mine.txt'), 'mine')
  await ok('items', 'delete', '--item-id', features[0]!.item_id, '--yes')
  const kept = await swath(['sync', target, 'project', org.project])
  assert.match(kept.err, new RegExp(`${before.length} files are not in the source any more`))
  assert.equal((await swath(['sync', target, 'project', org.project, '--delete'])).code, 2)
  await ok('sync', target, 'project', org.project, '--delete', '--yes')
  const left = (await readdir(target, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  assert.deepEqual(left.map(({ name }) => name).toSorted(), ['.swath-sync.json', 'mine.txt'])
  // The list of a folder that somebody else has sent; and a file that another sync of the folder needs.
  const source = `project ${org.project}`
  const list = [
    { source, files: ['../precious.txt', 'mine.txt', 7] },
    { source: 'collection a', files: ['mine.txt'] },
    {},
  ]
  await writeFile(join(target, '.swath-sync.json'), JSON.stringify(list))
  await writeFile(join(folder, 'precious.txt'), 'precious')
  await ok('sync', target, 'project', org.project, '--delete', '--yes')
  assert.equal(await readFile(join(folder, 'precious.txt'), 'utf8'), 'precious')
  assert.equal(await readFile(join(target, 'mine.txt'), 'utf8'), 'mine')
})

test('the journal verifies on this machine, without a network, too', async () => {
  assert.equal((await ok('ledger', 'verify'))['valid'], true)
  const file = join(folder, 'journal.ndjson')
  assert.equal((await swath(['billing', 'ledger', 'export', '--out', file])).code, 0)
  const offline = { ...createConfig() }
  assert.equal((await runCli(['verify', 'ledger', file], { env: offline })).code, 0)
  await writeFile(file, (await readFile(file, 'utf8')).replace('"amount_credits":', '"amount_credits":1'))
  const changed = await runCli(['verify', 'ledger', file], { env: offline })
  assert.equal(changed.code, 1)
  assert.match(changed.out, /^FAULT {2}position 1/m)
})

test('a plan buys what is missing at its price, and applied twice buys nothing twice', async () => {
  const [file, planFile] = [join(folder, 'orders.yaml'), join(folder, 'plan.json')]
  await writeFile(file, 'orders:\n  - name: virginia\n    scenes: [naip-va-17n, naip-va-18n]\n  - name: bolzano\n    search: { place: Bolzano, limit: 1 }\n    host: open\n') // prettier-ignore
  const plan = await ok<{ total_credits: number; orders: { held: unknown[]; buy: { id: string }[] }[] }>('plan', file, '--json') // prettier-ignore
  assert.deepEqual(plan.orders.map(({ held, buy }) => [held.length, buy.map(({ id }) => id)]), [[1, ['naip-va-18n']], [0, ['s2-bolzano-20220612']]]) // prettier-ignore
  assert.equal((await swath(['plan', file, '--out', planFile])).code, 0)
  const before = await balance()
  assert.equal((await swath(['apply', planFile])).code, 2, 'nobody agreed')
  const dearer = join(folder, 'dearer.json')
  await writeFile(dearer, JSON.stringify({ ...plan, orders: plan.orders.map((one) => ({ ...one, total_credits: 1 })), total_credits: 2 })) // prettier-ignore
  assert.equal((await swath(['apply', dearer, '--yes'])).code, 4, 'another price than the planned one')
  assert.equal(await balance(), before)
  const applied = await ok<{ orders: { id: string }[] }>('apply', planFile, '--yes')
  assert.equal(applied.orders.length, 2)
  assert.equal(await balance(), before - plan.total_credits)
  for (const again of [planFile, file]) assert.deepEqual(await ok('apply', again, '--yes'), { orders: [] })
  assert.equal(await balance(), before - plan.total_credits)
})

test('two programs that apply a plan at once buy it once, and a licence that is named is the one of the order', async () => {
  const file = join(folder, 'at-once.yaml')
  await writeFile(file, 'orders:\n  - name: norfolk\n    scenes: [naip-va-18n]\n    licence: extended\n')
  const before = await balance()
  const { total_credits } = await ok<{ total_credits: number }>('plan', file, '--json')
  assert.ok(total_credits > 0, 'the held scene has another licence')
  const results = await Promise.all([swath(['apply', file, '--yes', '--json']), swath(['apply', file, '--yes', '--json'])]) // prettier-ignore
  const ids = results.flatMap(({ code, out }) => (code === 0 ? (JSON.parse(out) as { orders: { id: string }[] }).orders : [])) // prettier-ignore
  assert.equal(new Set(ids.map(({ id }) => id)).size, 1)
  assert.equal(await balance(), before - total_credits)
  const order = await ok<{ licenseType: string }>('orders', 'get', '--order-id', ids[0]!.id)
  assert.equal(order.licenseType, 'extended')
  assert.notEqual((await swath(['buy', 'naip-va-17n', '--licence', 'nope', '--yes'])).code, 0)
  assert.equal(await balance(), before - total_credits)
})

test('events are forwarded to this machine as deliveries that verifyWebhook accepts', async () => {
  const types: string[] = []
  const receiver: Server = createServer((request, response) => {
    void readStream(request)
      .then((body) => verifyWebhook(signingSecret, { headers: request.headers, body }))
      .then(({ event_type }) => types.push(String(event_type)))
      .finally(() => response.end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const { events } = await ok<{ events: { event_id: string }[] }>('events', 'list', '--limit', '1')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const listening = swath(['listen', '--forward-to', url, '--event', 'project.*', '--count', '1', '--after', events[0]!.event_id]) // prettier-ignore
  await ok('projects', 'create', '--name', 'Heard')
  const { code, out, err } = await listening
  await new Promise((resolve) => receiver.close(resolve))
  assert.equal(code, 0, err)
  assert.equal((JSON.parse(out) as { event_type: string }).event_type, 'project.created')
  assert.deepEqual(types, ['project.created'])
})

test('a sandbox runs a story until the scene is delivered, and its hosts fail when told to', async () => {
  const sandbox = await createTestSandbox(app)
  const inSandbox = { ...env, ...createConfig() }
  const login = ['login', '--address', app.url, '--username', sandbox.email, '--password-stdin']
  assert.equal((await swath(login, { env: inSandbox, input: testPassword })).code, 0)
  const story = join(folder, 'story.yaml')
  await writeFile(story, 'steps:\n  - { call: catalog.search, input: { host_name: open, limit: 1 }, save: { scene: features.0 } }\n  - call: orders.archive.place\n    input: { captures: [{ id: "{{scene.id}}", geometry: "{{scene.geometry}}", host: open }] }\n    expect: { status: processing }\n') // prettier-ignore
  const told = await swath(['trigger', 'host.delay', '--seconds', '86400'], { env: inSandbox })
  assert.equal(told.code, 0, told.err)
  const { code, err } = await swath(['sandbox', 'run', story, '--until', 'delivered'], { env: inSandbox })
  assert.equal(code, 0, err)
  assert.match(err, /Reached: delivered\.\n$/)
  const elsewhere = await swath(['sandbox', 'run', story])
  assert.deepEqual([elsewhere.code, /sandbox organizations/.test(elsewhere.err)], [3, true])
})

test('doctor finds everything in order, and logout ends the session on the server', async () => {
  const { code, out } = await swath(['doctor'])
  assert.equal(code, 0, out)
  assert.doesNotMatch(out, /✗/)
  const secrets = JSON.parse(await readFile(join(env['SWATH_CONFIG_DIR']!, 'secrets.json'), 'utf8')) as { default: string } // prettier-ignore
  const { access_token } = JSON.parse(secrets.default) as { access_token: string }
  assert.equal((await swath(['logout'])).code, 0)
  const refused = await runCli(['projects', 'list'], { env: { ...createConfig(), SWATH_ADDRESS: app.url, SWATH_KEY: access_token } }) // prettier-ignore
  assert.equal(refused.code, 3)
})
