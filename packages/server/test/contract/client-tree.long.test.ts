import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { createSwathOver } from '@swath/client/swath.ts'
import { isPrivilegedScope } from '@swath/contract/scopes.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import type { Client } from '@swath/client/client.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { readExamples } from './examples/reads.ts'
import { writeExamples } from './examples/writes.ts'
import { createContractFixtures, type ContractFixtures } from './fixtures.ts'

const root = join(import.meta.dirname, '../../../..')
const examples = { ...readExamples, ...writeExamples }

let app: TestApp
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
})
after(() => app?.close())

const clientFor = ({ id, scope }: Operation): Client =>
  id.startsWith('sandbox.')
    ? fixtures.sandbox
    : scope?.startsWith('clip:')
      ? fixtures.clipUser
      : scope !== null && isPrivilegedScope(scope)
        ? fixtures.admin
        : fixtures.client

type Method = (input: object, options?: object) => Promise<unknown> & AsyncGenerator<unknown>

const methodOf = (operation: Operation): Method =>
  operation.id
    .split('.')
    .reduce(
      (node: unknown, part) => (node as Record<string, unknown>)[part],
      createSwathOver(clientFor(operation)),
    ) as Method

/** Calls the method as a program would: lines are read to the end, events until the stream ends. */
async function run(operation: Operation, input: object): Promise<string> {
  const { response_kind, problems } = operation
  const method = methodOf(operation)
  try {
    if (response_kind === 'event-stream') for await (const _event of method({ ...input, max_seconds: 1 }));
    else if (response_kind === 'ndjson') for await (const line of method(input)) assert.equal(typeof line, 'object')
    else if (response_kind === 'bytes') assert.ok((await method(input)) instanceof Uint8Array)
    else assert.equal(typeof (await method(input)), 'object')
    return 'ok'
  } catch (error) {
    assert.ok(error instanceof ApiProblem, `${operation.id}: ${String(error)}`)
    assert.ok((problems as readonly string[]).includes(error.problem), `${operation.id}: ${error.message}`)
    return error.problem
  }
}

/** The inputs of all examples, in their order. */
const inputs: (readonly [id: string, input: object])[] = []

test('the example of every operation runs through the tree of the client', async () => {
  const outcomes: string[] = []
  for (const operation of operationRegistry.toSorted(
    (a, b) => Number(a.effect !== 'read') - Number(b.effect !== 'read'),
  )) {
    const input = examples[operation.id]!(fixtures)
    inputs.push([operation.id, input])
    const outcome = await run(operation, input)
    if (operation.effect === 'read') assert.equal(outcome, 'ok', operation.id)
    outcomes.push(outcome)
  }
  assert.equal(outcomes.length, operationRegistry.length)
  assert.ok(outcomes.filter((outcome) => outcome === 'ok').length > operationRegistry.length * 0.7)
})

/** A program with a call for every example, written as a person would write it. */
const programOf = (calls: typeof inputs): string =>
  [
    "import { createSwath } from '@swath/client'",
    "const swath = createSwath({ baseUrl: 'https://swath.example' })",
    ...calls.map(([id, input]) => `void swath.${id}(${JSON.stringify(input)})`),
    '// @ts-expect-error the item is missing',
    'void swath.items.get({})',
    '// @ts-expect-error no such role',
    "void swath.projects.add_member({ project_id: 'a', user_id: 'b', role: 'king' })",
    'const { status } = await swath.orders.get({ order_id: "a" })',
    "const isNewer: boolean = status === 'OF_A_NEWER_SERVER'",
    'for await (const order of swath.orders.list()) void [order.displayName, isNewer]',
    '',
  ].join('\n')

/** How a program is compiled that runs anywhere: without types of Node. */
const compilerOptions = {
  noEmit: true,
  strict: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
}

function compile(folder: string): string {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  return stdout + stderr
}

test('the example of every operation compiles against the types of the published package', async () => {
  const build = spawnSync(process.execPath, ['tools/client/build.ts', '--if-stale'], { cwd: root, encoding: 'utf8' })
  assert.equal(build.status, 0, build.stdout + build.stderr)
  await mkdir(join(root, 'node_modules/.cache'), { recursive: true })
  const folder = await mkdtemp(join(root, 'node_modules/.cache/client-types-'))
  try {
    const packageFolder = join(folder, 'node_modules/@swath/client')
    await cp(join(root, 'packages/client/dist'), packageFolder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
    await writeFile(join(folder, 'program.ts'), programOf(inputs))
    assert.equal(compile(folder), '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
