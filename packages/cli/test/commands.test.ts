import assert from 'node:assert/strict'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { createProblem, startFakeServer, type FakeAnswer, type FakeServer, type ReceivedCall } from './fake-server.ts'
import { createConfig, runCli, type CliOptions, type CliResult } from './run-cli.ts'

const project = '01890a5d-ac96-774b-bcce-b302099a8057'
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

const signedIn = () => ({ ...createConfig(), SWATH_ADDRESS: server.address, SWATH_KEY: 'key-of-a-test' })
const run = (args: readonly string[], options: CliOptions = {}): Promise<CliResult> =>
  runCli(args, { ...options, env: { ...signedIn(), ...options.env } })
const op = (id: string, body: unknown): void => {
  answers[`/v1/op/${id}`] = () => ({ body })
}
const bodyOf = (index = 0): unknown => JSON.parse(server.calls[index]!.body)

test('a command sends its flags as the input of its operation, with the key', async () => {
  op('items.list', { items: [], limit: 5, offset: 0, total: 0, next_offset: null })
  const { code, out } = await run(['items', 'list', '--project-id', project, '--limit', '5', '--uncollected'])
  assert.equal(code, 0)
  assert.deepEqual(bodyOf(), { project_id: project, limit: 5, uncollected: true })
  assert.equal(server.calls[0]!.headers['authorization'], 'Bearer key-of-a-test')
  assert.deepEqual(JSON.parse(out), { items: [], limit: 5, offset: 0, total: 0, next_offset: null })
})

test('--all prints the rows of all pages, as a list or one by one', async () => {
  const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  answers['/v1/op/items.list'] = ({ body }) => {
    const { offset = 0 } = JSON.parse(body) as { offset?: number }
    const next_offset = offset + 2 < rows.length ? offset + 2 : null
    return { body: { items: rows.slice(offset, offset + 2), limit: 2, offset, total: 3, next_offset } }
  }
  const list = ['items', 'list', '--project-id', project, '--all']
  assert.deepEqual(JSON.parse((await run(list)).out), rows)
  assert.deepEqual(bodyOf(1), { project_id: project, offset: 2 })
  assert.equal((await run([...list, '--ndjson'])).out, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  assert.equal((await run(['users', 'me', '--all'])).code, 2)
})

test('flags replace members of --input, which may be the standard input', async () => {
  op('items.list', { items: [] })
  await run(['items', 'list', '--input', '-', '--limit', '7'], {
    input: JSON.stringify({ project_id: project, limit: 1 }),
  })
  assert.deepEqual(bodyOf(), { project_id: project, limit: 7 })
})

test('a value may be a list, a box, JSON of a file, or false', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'swath-cli-')), 'area.json')
  await writeFile(file, '{"type":"Point","coordinates":[1,2]}')
  op('catalog.search', { features: [] })
  await run(['catalog', 'search', '--host-name', 'open', '--ids', 'a', '--ids', 'b,c', '--bbox', '-1,2,3,4', '--intersects', `@${file}`, '--no-full-catalog', '--input-query', '{}']) // prettier-ignore
  assert.deepEqual(bodyOf(), {
    host_name: 'open',
    ids: ['a', 'b,c'],
    bbox: [-1, 2, 3, 4],
    intersects: { type: 'Point', coordinates: [1, 2] },
    full_catalog: false,
    query: {},
  })
})

test('wrong arguments are told in one sentence with exit code 2, before anything is sent', async () => {
  const rows: readonly [args: string[], message: RegExp][] = [
    [['items', 'list'], /^--project-id must be given/],
    [['items', 'list', '--project-id', project, '--limit', 'many'], /^--limit must be an integer, not "many"/],
    [['items', 'list', '--input', '{"a'], /^--input is not JSON: /],
    [['items', 'list', '--input', 'missing.json'], /^--input: missing\.json is neither JSON nor a file .*ENOENT/],
    [['items', 'list', '--input', '[]'], /^--input must be a JSON object/],
    [['items', 'list', '--unknown'], /^Unknown option '--unknown'/],
    [['uploads', 'initiate', '--project-id', project, '--transfer-method', 'mail'], /Allowed choices are browser/],
    [['itemz'], /^Unknown command 'itemz'\n\(Did you mean items\?\)/],
    [['items', 'list', '--project-id', project, '--json', '--csv'], /^Choose one form of the output/],
    [['orders', 'cancel', '--order-id', project], /may spend credits.*Repeat the command with --yes; nothing was done/],
    [['items', 'delete', '--item-id', project], /deletes or ends something for good.*--yes/],
  ]
  for (const [args, message] of rows) {
    const { code, out, err } = await run(args)
    assert.deepEqual([code, out], [2, ''], `${args.join(' ')}: ${err}`)
    assert.match(err, message)
    assert.doesNotMatch(err, /\n\s+at /)
  }
  assert.equal(server.calls.filter(({ path }) => !path.startsWith('/v1/op/items.list')).length, 0)
})

test('the exit code tells the kind of a problem, and the message the way out', async () => {
  const rows: readonly [problem: string, status: number, code: number, message: RegExp][] = [
    ['validation', 422, 2, /422/],
    ['unauthenticated', 401, 3, /does not accept SWATH_KEY/],
    ['insufficient-scope', 403, 3, /swath login/],
    ['insufficient-credits', 402, 4, /swath billing topup/],
    ['spend-limit-exceeded', 403, 4, /--max-credits/],
    ['quote-expired', 410, 4, /swath price/],
    ['not-found', 404, 5, /swath whoami/],
    ['gone-expired', 410, 5, /410/],
    ['rate-limited', 429, 6, /429/],
    ['unavailable', 503, 6, /503/],
    ['invalid-state', 409, 1, /409/],
    ['internal', 500, 1, /500/],
  ]
  for (const [problem, status, expected, message] of rows) {
    answers['/v1/op/projects.list'] = () => createProblem(problem, status, 'It does not work')
    const { code, out, err } = await run(['projects', 'list'])
    assert.deepEqual([code, out], [expected, ''], problem)
    assert.match(err, message)
    assert.equal(err.trim().split('\n').length, 1, err)
  }
})

test('no server is a temporary failure, and no sign-in one of the sign-in', async () => {
  const refused = await run(['projects', 'list'], { env: { SWATH_ADDRESS: 'http://127.0.0.1:1' } })
  assert.equal(refused.code, 6)
  assert.match(refused.err, /^No server answers at http:\/\/127\.0\.0\.1:1/)
  const nobody = await runCli(['projects', 'list'], { env: { ...createConfig(), SWATH_DATA_DIR: '/nowhere' } })
  assert.equal(nobody.code, 3)
  assert.match(nobody.err, /^You are not signed in: swath login/)
})

test('every spend sends an idempotency key, and --dry-run asks nothing', async () => {
  op('orders.archive.place', { id: project, totalCredits: 5 })
  const { code } = await run(['orders', 'archive', 'place', '--quote-id', project, '--dry-run'])
  assert.equal(code, 0)
  assert.deepEqual(bodyOf(), { quote_id: project, dry_run: true })
  assert.match(String(server.calls[0]!.headers['idempotency-key']), /^[0-9a-f-]{36}$/)
  await run(['orders', 'archive', 'place', '--quote-id', project, '--yes', '--idempotency-key', 'mine'])
  assert.equal(server.calls[1]!.headers['idempotency-key'], 'mine')
})

test('the forms of an output: a table on a terminal, JSON into pipes, and those that are asked for', async () => {
  const rows = [
    { id: 'a', name: 'Köln 東京', tags: ['x'], area: { km2: 2 }, geometry: { type: 'Point', coordinates: [1, 2] } },
    { id: 'b', name: '=1+1', tags: [], area: { km2: 3 }, geometry: null },
  ]
  op('projects.list', { projects: rows, limit: 2, offset: 0, total: 2 })
  const list = (...args: string[]): Promise<CliResult> => run(['projects', 'list', ...args])
  const table = await run(['projects', 'list'], { columns: 60, env: { NO_COLOR: '1' } })
  assert.deepEqual(table.out.split('\n').slice(0, 3).map((line) => line.trimEnd()), ['id  name       area.km2  geometry.type', 'a   Köln 東京  2         Point', 'b   =1+1       3         –']) // prettier-ignore
  assert.match((await run(['projects', 'list'], { columns: 60 })).out, /\u001B\[1mid/)
  assert.deepEqual((JSON.parse((await list()).out) as { total: number }).total, 2)
  assert.deepEqual((await list('--ndjson')).out.trim().split('\n').map((line) => (JSON.parse(line) as { id: string }).id), ['a', 'b']) // prettier-ignore
  assert.equal((await list('--csv')).out, `id,name,tags,area.km2,geometry.type,geometry.coordinates,geometry\r\na,Köln 東京,"[""x""]",2,Point,"[1,2]",\r\nb,'=1+1,[],3,,,\r\n`) // prettier-ignore
  const { features } = JSON.parse((await list('--geojson')).out) as { features: { id: string; geometry: unknown }[] }
  assert.deepEqual(features.map(({ id, geometry }) => [id, geometry]), [['a', { type: 'Point', coordinates: [1, 2] }]]) // prettier-ignore
  assert.equal((await list('--query', 'projects[0].name')).out, 'Köln 東京\n')
  assert.deepEqual(JSON.parse((await list('--query', 'projects[].id')).out), ['a', 'b'])
  const wrong = await list('--query', 'projects[')
  assert.equal(wrong.code, 2)
  assert.match(wrong.err, /^--query is not a JMESPath expression/)
})

test('--curl prints the request without the key, and sends nothing', async () => {
  const { out } = await run(['items', 'get', '--item-id', project, '--curl'])
  assert.match(out, /^curl --fail-with-body 'http:\/\/127\.0\.0\.1:\d+\/v1\/op\/items\.get'/)
  assert.match(out, /Bearer \$SWATH_KEY/)
  assert.doesNotMatch(out, /key-of-a-test/)
  assert.equal(server.calls.length, 0)
})

test('the forms of npm run op stay: an id with JSON, --key, --out, and the list of operations', async () => {
  op('orders.cancel', { orderId: project })
  const { code, out } = await run(['orders.cancel', `{"order_id": "${project}"}`, '--key', 'once'])
  assert.equal(code, 0)
  assert.equal(out, `${JSON.stringify({ orderId: project }, null, 2)}\n`)
  assert.equal(server.calls[0]!.headers['idempotency-key'], 'once')
  const file = join(await mkdtemp(join(tmpdir(), 'swath-cli-')), 'out.json')
  await run(['orders.cancel', '{}', '--out', file])
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { orderId: project })
  assert.match((await run(['ops', 'uploads'])).out, /^uploads\.cancel {30,}destructive$/m)
  assert.match((await run(['orders.cancel', '{x'])).err, /^The input is not JSON: /)
})

test('a profile is stored with its secret for its owner only, used, and forgotten', async () => {
  const config = createConfig()
  op('users.me', { kind: 'api_key', user: null, organization: { id: 'o', name: 'Fields' }, wallet: null })
  const login = await runCli(['login', '--key-stdin', '--address', `${server.address}/`], { env: config, input: 'a-key\n' }) // prettier-ignore
  assert.equal(login.code, 0, login.err)
  assert.match(login.err, /as a key \(api_key\) of Fields \(profile "default"/)
  assert.equal((await stat(join(config.SWATH_CONFIG_DIR, 'secrets.json'))).mode & 0o777, 0o600)
  assert.doesNotMatch(await readFile(join(config.SWATH_CONFIG_DIR, 'profiles.json'), 'utf8'), /a-key/)
  const { out } = await runCli(['whoami', '--query', 'credentials'], { env: config })
  assert.equal(out, 'profile "default"\n')
  assert.equal(server.calls.at(-1)!.headers['authorization'], 'Bearer a-key')
  assert.equal((await runCli(['whoami', '--profile', 'other'], { env: config })).code, 2)
  assert.equal((await runCli(['logout'], { env: config })).code, 0)
  assert.doesNotMatch(await readFile(join(config.SWATH_CONFIG_DIR, 'secrets.json'), 'utf8'), /a-key/)
})

test('completion knows commands, operations, their commands and their flags', async () => {
  const complete = async (...words: string[]): Promise<string[]> =>
    (await run(['completion', 'words', ...words])).out.split('\n').filter((word) => word !== '')
  for (const [words, expected] of [
    [['bu'], 'buy'],
    [['buy', '--ma'], '--max-credits'],
    [['sandbox', 'ru'], 'run'],
    [['verify', ''], 'ledger'],
    [['help', 'bu'], 'buy'],
    [['orders', 'archive', 'pl'], 'place'],
    [['orders', 'archive', 'place', '--max'], '--max-credits'],
    [['items', 'list', '--al'], '--all'],
    [['api', 'users.m'], 'users.me'],
  ] as const)
    assert.ok((await complete(...words)).includes(expected), words.join(' '))
  assert.deepEqual(await complete('nothing', '--x'), [])
})
