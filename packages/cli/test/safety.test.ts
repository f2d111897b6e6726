import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { createProblem, startFakeServer, type FakeAnswer, type FakeServer, type ReceivedCall } from './fake-server.ts'
import { createConfig, runCli, type CliOptions, type CliResult } from './run-cli.ts'

let server: FakeServer
let answers: Record<string, (call: ReceivedCall) => FakeAnswer>
before(async () => {
  server = await startFakeServer(
    (call) => answers[call.path]?.(call) ?? createProblem('not-found', 404, 'There is nothing here.'),
  )
})
beforeEach(() => {
  server.calls.length = 0
  answers = {}
})
after(() => server?.close())

const createFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'swath-cli-'))
const op = (id: string, body: unknown): void => {
  answers[`/v1/op/${id}`] = () => ({ body })
}
const run = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  runCli(args, { ...options, env: { ...createConfig(), SWATH_ADDRESS: server.address, SWATH_KEY: 'key-of-a-test', ...options.env } }) // prettier-ignore

test('the secret of a profile is sent to its own server alone, whatever server is named', async () => {
  const config = createConfig()
  op('users.me', { kind: 'api_key', user: null, organization: { id: 'o', name: 'Fields' }, wallet: null })
  await runCli(['login', '--key-stdin', '--address', server.address], { env: config, input: 'a-key' })
  const calls = server.calls.length
  const other = 'http://127.0.0.1:1'
  for (const [args, env] of [
    [['whoami', '--address', other], config],
    [['whoami'], { ...config, SWATH_ADDRESS: other }],
  ] as const) {
    const { code, err } = await runCli(args, { env })
    assert.equal(code, 2, err)
    assert.match(err, /The profile "default" is of/)
  }
  assert.equal((await runCli(['whoami', '--address', 'nonsense'], { env: config })).code, 2)
  assert.equal(server.calls.length, calls)
  assert.equal((await runCli(['whoami', '--address', `${server.address}/`], { env: config })).code, 0)
})

test('a key of the environment is sent to the server of the environment alone', async () => {
  const calls = server.calls.length
  const { code, err } = await run(['whoami', '--address', server.address], { env: { SWATH_ADDRESS: 'https://swath.example' } }) // prettier-ignore
  assert.equal(code, 2, err)
  assert.match(err, /The credentials of the environment are for https:\/\/swath.example/)
  assert.equal(server.calls.length, calls)
})

test('a key of the environment is not sent to a host that a file of the folder names', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'terminal-key'), 'x\nhttps://stranger.example')
  const env = { ...createConfig(), SWATH_DATA_DIR: folder }
  const { code, err } = await runCli(['whoami'], { env: { ...env, SWATH_KEY: 'secret' } })
  assert.equal(code, 3)
  assert.match(err, /need SWATH_ADDRESS/)
  const elsewhere = await runCli(['whoami'], { env: { ...env, SWATH_ADDRESS: server.address } })
  assert.match(elsewhere.err, /There are no credentials for/)
  assert.equal(server.calls.length, 0)
})

test('a file that cannot be written is told before the call, and an output that has another form is printed as it is', async () => {
  op('projects.create', { id: 'p', name: 'A' })
  const create = ['projects', 'create', '--name', 'A']
  assert.equal((await run([...create, '--out', '/nonexistent/folder/x.json'])).code, 2)
  assert.equal(server.calls.length, 0)
  const { code, out } = await run([...create, '--geojson'])
  assert.equal(code, 2)
  assert.deepEqual(JSON.parse(out), { id: 'p', name: 'A' })
})

test('a plan whose search has an unknown member is refused', async () => {
  const file = join(await createFolder(), 'orders.yaml')
  for (const [search, message] of [
    ['{ places: Bolzano }', /has no member "places"/],
    ['abc', /must be an object/],
  ] as const) {
    await writeFile(file, `orders:\n  - name: a\n    search: ${search}\n`)
    const { code, err } = await run(['plan', file])
    assert.equal(code, 2)
    assert.match(err, message)
  }
  const plan = join(await createFolder(), 'plan.json')
  for (const text of ['{"total_credits": 5}', '{"total_credits": 5, "orders": [{}]}', '{']) {
    await writeFile(plan, text)
    const { code, err } = await run(['apply', plan])
    assert.equal(code, 2)
    assert.match(err, /plan\.json is not/)
  }
  assert.equal(server.calls.filter(({ path }) => path.includes('place')).length, 0)
})

test('null removes a value that may be null, and names do not change the terminal', async () => {
  op('items.update', { id: 'i', title: 'a\u001b[31mX\u0007' })
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const { out } = await run(['items', 'update', '--item-id', id, '--collection-id', 'null'], { columns: 80 })
  assert.deepEqual(JSON.parse(server.calls[0]!.body), { item_id: id, collection_id: null })
  assert.ok(!out.includes('\u001b[31m') && out.includes('X'), out)
})

test('an export without entries is not valid, and keys that are none are told in a sentence', async () => {
  const folder = await createFolder()
  const empty = join(folder, 'empty.ndjson')
  await writeFile(empty, '')
  const { code, out } = await run(['verify', 'ledger', empty])
  assert.equal(code, 1)
  assert.match(out, /there are no entries/)
  const keys = join(folder, 'keys.json')
  await writeFile(keys, 'null')
  const receipt = await run(['verify', 'receipt', empty, '--keys', keys])
  assert.equal(receipt.code, 2)
  assert.match(receipt.err, /is not a set of keys/)
  assert.equal(await readFile(empty, 'utf8'), '')
})

test('arguments that are wrong in an unusual way are told in a sentence', async () => {
  for (const args of [
    ['completion', 'constructor'],
    ['share', '01890a5d-ac96-774b-bcce-b302099a8057', '--expires', '999999999999999d'],
  ])
    assert.equal((await run(args)).code, 2, args.join(' '))
})
